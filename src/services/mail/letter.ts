/** The paper of every mail: one column, the mark, one sentence, one button, the link in text, why it came. */
import { html, trusted } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { dark, light } from "../../look/tokens.ts"
import { plainName } from "./names.ts"

export interface Letter {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface Contents {
  readonly subject: string
  /** As its owner typed it. */
  readonly name: string
  readonly sentence: string
  readonly button: { readonly label: string; readonly href: string }
  /** What holds for the button's link. */
  readonly terms: string
  /** A second way, said quietly. */
  readonly also?: { readonly sentence: string; readonly href: string }
  readonly why: string
}

/** Mail clients keep inline styles and drop much else; these classes only turn the colours for the dark. */
const darkness = `@media (prefers-color-scheme:dark){.desk{background:${dark.desk}!important}.sheet{background:${dark.sheet}!important}`
  + `.ink{color:${dark.ink}!important}.muted{color:${dark.muted}!important}.edge{border-color:${dark.ink}!important}.stroke{border-color:${dark.accent}!important}`
  + `.link{color:${dark.accent}!important}.key{background:${dark.ink}!important}.key a{color:${dark.sheet}!important}}`
  + `@media (max-width:600px){.pad{padding:28px 24px!important}}`

/** Pictures are blocked or dropped in mail, so the mark is drawn with borders. */
const mark = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="edge" style="border-bottom:2px solid ${light.ink};padding:0 5px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="edge" width="12" height="18" style="width:12px;height:18px;border:2px solid ${light.ink};border-bottom:0;border-radius:3px 6px 0 0;padding:0 2px;font-size:0;line-height:0"><div class="stroke" style="border-top:2px solid ${light.accent};height:0;width:6px;margin:0 auto"></div></td></tr></table></td>
<td class="ink" style="padding-left:10px;color:${light.ink};font-size:16px;font-weight:600">svc</td></tr></table>`

const paragraph = (content: Html | string, tone: "ink" | "muted" = "ink"): Html =>
  html`<p class="${tone}" style="margin:16px 0 0;color:${light[tone]};font-size:${tone === "ink" ? 16 : 14}px;line-height:1.5">${content}</p>`

const link = (href: string): Html => html`<a class="link" href="${href}" style="color:${light.accent};word-break:break-all">${href}</a>`

const rendered = ({ also, button, sentence, subject, terms, why }: Contents, greeting: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>:root{color-scheme:light dark}${trusted(darkness)}</style>
</head>
<body class="desk" style="margin:0;padding:0;background:${light.desk}">
<div role="main"><table class="desk" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${light.desk}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;text-align:left">
<tr><td class="sheet pad" style="background:${light.sheet};border-radius:12px;padding:40px">
${mark}
<h1 class="ink" style="margin:32px 0 0;color:${light.ink};font-size:24px;line-height:1.25;font-weight:600">${subject}</h1>
${paragraph(greeting)}
${paragraph(sentence)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:28px"><tr><td class="key" style="background:${light.ink};border-radius:8px"><a href="${button.href}" style="display:inline-block;padding:12px 20px;color:${light.sheet};font-size:16px;font-weight:500;text-decoration:none">${button.label}</a></td></tr></table>
${paragraph(html`${terms} If the button does nothing, open this address:<br>${link(button.href)}`, "muted")}
${also !== undefined && paragraph(html`${also.sentence}<br>${link(also.href)}`, "muted")}
</td></tr>
<tr><td class="pad" style="padding:20px 40px 0"><p class="muted" style="margin:0;color:${light.muted};font-size:13px;line-height:1.5">${why}</p></td></tr>
</table></td></tr></table></div>
</body>
</html>
`.text

export const letter = (contents: Contents): Letter => {
  const { also, button, name, sentence, subject, terms, why } = contents
  const known = plainName(name)
  const greeting = known === null ? "Hello," : `Hello ${known},`
  return {
    subject,
    html: rendered(contents, greeting),
    text: [
      greeting,
      sentence,
      `${button.label}:\n${button.href}`,
      terms,
      ...(also === undefined ? [] : [`${also.sentence}\n${also.href}`]),
      why
    ].join("\n\n") + "\n"
  }
}

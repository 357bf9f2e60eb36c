/** A mail as its reader sees it, made with React: one column, the mark, one sentence, a button, its link in text, why it came. */
import { render } from "@react-email/render"
import { Fragment, createElement as e } from "react"
import type { CSSProperties, ReactElement, ReactNode, TableHTMLAttributes } from "react"
import { dark, light } from "../../look/tokens.ts"
import type { Contents } from "./letter.ts"

/** Mail clients keep inline styles and drop much else; these classes only change the colours in dark mode. */
const darkness = `:root{color-scheme:light dark}`
  + `@media (prefers-color-scheme:dark){.desk{background:${dark.desk}!important}.sheet{background:${dark.sheet}!important}`
  + `.ink{color:${dark.ink}!important}.muted{color:${dark.muted}!important}.edge{border-color:${dark.ink}!important}`
  + `.fold{border-left-color:${dark.ink}!important}.stroke{border-color:${dark.accent}!important}`
  + `.link{color:${dark.accent}!important}.key{background:${dark.ink}!important}.key a{color:${dark.sheet}!important}}`
  + `@media (max-width:600px){.pad{padding:28px 24px!important}.foot{padding:20px 24px 0!important}}`

/** A table, since every mail client lays tables out alike. */
const table = (props: TableHTMLAttributes<HTMLTableElement>, ...rows: ReadonlyArray<ReadonlyArray<ReactElement>>) =>
  e(
    "table",
    { role: "presentation", cellPadding: 0, cellSpacing: 0, border: 0, ...props },
    e("tbody", null, ...rows.map((cells) => e("tr", null, ...cells)))
  )

const cell = (className: string | undefined, style: CSSProperties, content?: ReactNode, span = 1) =>
  e("td", { className, style, ...(span > 1 && { colSpan: span }) }, content)

const pen = `2px solid ${light.ink}`
const bare = { padding: 0, fontSize: 0, lineHeight: 0 }

/** The mark: a sheet, its folded corner, a written line. Mail clients block or drop images, so it is drawn with borders. */
const sheet = table(
  { style: { margin: "0 auto" } },
  [
    cell("edge", { ...bare, width: 7, height: 5, borderTop: pen, borderLeft: pen, borderTopLeftRadius: 3 }),
    cell(undefined, { ...bare, width: 7 }, e("div", {
      className: "fold",
      style: { width: 0, height: 0, borderTop: "7px solid transparent", borderLeft: `7px solid ${light.ink}` }
    }))
  ],
  [
    cell("edge", { ...bare, height: 13, borderLeft: pen, borderRight: pen, verticalAlign: "middle" }, e("div", {
      className: "stroke",
      style: { width: 6, height: 0, margin: "0 auto", borderTop: `2px solid ${light.accent}` }
    }), 2)
  ]
)

const mark = table({}, [
  cell("edge", { ...bare, borderBottom: pen, padding: "0 4px" }, sheet),
  cell("ink", { paddingLeft: 10, color: light.ink, fontSize: 16, fontWeight: 600 }, "svc")
])

const written = (tone: "ink" | "muted", top: number): CSSProperties =>
  ({ margin: `${top}px 0 0`, color: light[tone], fontSize: tone === "ink" ? 16 : 14, lineHeight: 1.5 })

const paragraph = (tone: "ink" | "muted", top: number, ...content: ReadonlyArray<ReactNode>) =>
  e("p", { className: tone, style: written(tone, top) }, ...content)

const link = (href: string) => e("a", { className: "link", href, style: { color: light.accent, wordBreak: "break-all" } }, href)

const key = ({ href, label }: NonNullable<Contents["button"]>) =>
  table({ style: { marginTop: 28 } }, [
    cell("key", { background: light.ink, borderRadius: 8 }, e("a", {
      href,
      style: { display: "inline-block", padding: "12px 20px", color: light.sheet, fontSize: 16, fontWeight: 500, lineHeight: 1.25, textDecoration: "none" }
    }, label))
  ])

const head = (subject: string) =>
  e(
    "head",
    null,
    e("meta", { charSet: "utf-8" }),
    e("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    e("meta", { name: "color-scheme", content: "light dark" }),
    e("meta", { name: "supported-color-schemes", content: "light dark" }),
    e("title", null, subject),
    e("style", null, darkness)
  )

/** Other people's words run in the direction of their script, whatever ours is. */
const quote = ({ caption, text }: NonNullable<Contents["quotes"]>[number], at: number) =>
  e(
    "div",
    { key: at, className: "edge", style: { margin: "20px 0 0", paddingLeft: 16, borderLeft: pen } },
    paragraph("muted", 0, caption),
    e("p", { dir: "auto", className: "ink", style: { ...written("ink", 4), textAlign: "start" } }, text)
  )

/** A long word, such as an address in a comment, breaks: one that does not makes the whole mail scroll sideways. Clients know one or the other. */
const breaking: CSSProperties = { overflowWrap: "anywhere", wordBreak: "break-word" }

const column = ({ also, button, more, quotes = [], sentence, subject, terms, why }: Contents, greeting: string) =>
  table(
    { align: "center", width: "100%", style: { tableLayout: "fixed", maxWidth: 560, fontFamily: "-apple-system,'Segoe UI',Helvetica,Arial,sans-serif", textAlign: "left" } },
    [cell(
      "sheet pad",
      { background: light.sheet, borderRadius: 12, padding: 40, ...breaking },
      e(
        Fragment,
        null,
        mark,
        e("h1", { className: "ink", style: { margin: "32px 0 0", color: light.ink, fontSize: 24, lineHeight: 1.25, fontWeight: 600 } }, subject),
        paragraph("ink", 16, greeting),
        paragraph("ink", 16, sentence),
        ...quotes.map(quote),
        more && paragraph("ink", 20, more),
        button && key(button),
        paragraph("muted", 28, terms),
        button && paragraph("muted", 8, "If the button does nothing, open this address:", e("br"), link(button.href)),
        also && paragraph("muted", 16, also.sentence, e("br"), link(also.href))
      )
    )],
    [cell("foot", { padding: "20px 40px 0", ...breaking }, e("p", { className: "muted", style: { margin: 0, color: light.muted, fontSize: 13, lineHeight: 1.5 } }, why))]
  )

const mail = (contents: Contents, greeting: string) =>
  e(
    "html",
    { lang: "en" },
    head(contents.subject),
    e("body", { className: "desk", style: { margin: 0, padding: 0, background: light.desk } }, e(
      "div",
      { role: "main" },
      table({ className: "desk", width: "100%", style: { background: light.desk } }, [
        cell(undefined, { padding: "32px 16px" }, column(contents, greeting))
      ])
    ))
  )

/** Replaces the renderer's doctype, which names a host and an outdated layout mode, and drops its comments, which only React in a browser needs. */
export const onPaper = async (contents: Contents, greeting: string): Promise<string> => {
  const rendered = await render(mail(contents, greeting))
  return `<!doctype html>\n${rendered.replace(/^<!doctype[^>]*>/i, "").replace(/<!--.*?-->/g, "")}\n`
}

/** What a person sees before they let something into their account: who asks, and two buttons. Nothing approves by itself. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

const hidden = (fields: Readonly<Record<string, string | undefined>>): ReadonlyArray<Html> =>
  Object.entries(fields).flatMap(([name, value]) => value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`])

const fact = (name: string, value: Html | string): Html => html`<dt class="muted small">${name}</dt><dd>${value}</dd>`

const decision = (action: string, fields: Readonly<Record<string, string | undefined>>, approve: string): Html =>
  html`<form method="post" action="${action}">${hidden(fields)}
<div class="actions"><button class="button" name="decision" value="approve">${approve}</button>
<button class="button quiet" name="decision" value="deny">Deny</button></div></form>`

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })

/** Asks for the code that a device shows. */
export const askForCodePage = (refusal?: string): string =>
  page({
    title: "Sign a device in",
    body: html`<h1>Sign a device in</h1><p>Type the code that the device shows.</p>
${refusal !== undefined && html`<p class="refusal" role="alert">${refusal}</p>`}
<form method="get" action="/device"><label class="field">Code<input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" required></label>
<button class="button">Continue</button></form>`
  })

export interface DeviceAsks {
  readonly userCode: string
  readonly client: string
  readonly address: string
  /** Milliseconds of the epoch. */
  readonly requestedAt: number
  readonly email: string
  readonly csrf: string
}

export const deviceAsksPage = ({ address, client, csrf, email, requestedAt, userCode }: DeviceAsks): string =>
  page({
    title: "Let this device in?",
    body: html`<h1>Let this device in?</h1>
<p>It will publish and read in the name of <code>${email}</code> until you revoke it. Approve only what you started yourself, and only if it shows this code.</p>
<dl class="asks">${fact("Code", html`<code>${userCode}</code>`)}${fact("Client, by its own word", client)}${fact("Asked from", html`<code>${address}</code>`)}${
      fact("Asked at", html`<time datetime="${new Date(requestedAt).toISOString()}">${moment.format(requestedAt)} UTC</time>`)
    }</dl>
${decision("/device", { csrf, user_code: userCode }, "Let it in")}`
  })

export const deviceApprovedPage = (): string =>
  page({
    title: "The device is let in",
    body: html`${drawing("sealed")}<h1>The device is let in</h1><p>Go back to it: it goes on by itself. We mailed you a note about it.</p>`
  })

export const deviceDeniedPage = (): string =>
  page({
    title: "The device is turned away",
    body: html`${drawing("put-away")}<h1>The device is turned away</h1><p>It gets nothing. If you did not start this, there is nothing else to do.</p>`
  })

export interface ClientAsks {
  readonly clientName: string
  readonly redirectHost: string
  readonly scope: string
  readonly email: string
  /** What the decision is about, as it is posted back. */
  readonly fields: Readonly<Record<string, string | undefined>>
}

export const clientAsksPage = ({ clientName, email, fields, redirectHost, scope }: ClientAsks): string =>
  page({
    title: "Let this agent in?",
    body: html`<h1>Let this agent in?</h1>
<p>It will publish, read and change documents in the name of <code>${email}</code>, by the agents’ tools, until you revoke it.</p>
<dl class="asks">${fact("Agent, by its own word", clientName)}${fact("The answer goes to", html`<code>${redirectHost}</code>`)}${fact("Scope", html`<code>${scope}</code>`)}</dl>
<p class="next">Nobody checked the name. Approve only if you know where the answer goes, and started this yourself.</p>
${decision("/oauth/authorize", fields, "Let it in")}`
  })

export const refusedPage = (reason: string): string =>
  page({
    title: "This does not work",
    body: html`${drawing("lapsed")}<h1>This does not work</h1><p>${reason}</p><p class="next">Nothing was let in.</p>`
  })

/** The developer mailbox as pages: the mails that would have gone out, newest first, and each one as its reader sees it. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

export interface MailboxMessage {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly links: ReadonlyArray<string>
  /** RFC 3339. */
  readonly at: string
}

export const mailboxPath = "/_dev/mail"

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

const time = (at: string): Html => {
  const date = new Date(at)
  return html`<time class="fact" datetime="${at}" title="${at}">${Number.isNaN(date.getTime()) ? at : `${format.format(date)} UTC`}</time>`
}

/** These links are taken from mails: only http and https become links here, never `javascript:`. */
const address = (link: string): URL | null => {
  const url = URL.canParse(link) ? new URL(link) : null
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : null
}

/** What the mail's text says before the link; otherwise its path in words. */
const label = (url: URL, text: string): string => {
  const said = new RegExp(`^(.{1,60}):\\s+${RegExp.escape(url.href)}$`, "m").exec(text)?.[1]
  if (said !== undefined) return said
  const words = url.pathname.split("/").filter((part) => part !== "").join(" ").replaceAll("-", " ")
  return words === "" ? `Open ${url.host}` : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const buttons = ({ links, text }: MailboxMessage, first: "filled" | "quiet"): Html => {
  const urls = links.map(address).filter((url) => url !== null)
  return html`${urls.length > 0 && html`<div class="actions">${
    urls.map((url, index) => html`<a class="${first === "filled" && index === 0 ? "button" : "button quiet"}" href="${url.href}">${label(url, text)}</a>`)
  }</div>`}`
}

const empty = html`${drawing("letter")}<h1>No mail yet</h1>
<p>Mail does not leave this machine: it is put here instead. Sign up for an account, and its confirmation is the first to arrive.</p>
<p class="doing"><a class="button" href="/#sign-up">See how to sign up</a></p>`

const item = (message: MailboxMessage): Html =>
  html`<li><h2><a href="${mailboxPath}/${encodeURIComponent(message.id)}">${message.subject}</a></h2>
<p class="facts"><span class="fact">${message.to}</span>${time(message.at)}</p>${buttons(message, "quiet")}</li>`

export const mailboxPage = (messages: ReadonlyArray<MailboxMessage>): string =>
  messages.length === 0
    ? page({ title: "Mailbox", body: empty })
    : page({
      title: "Mailbox",
      layout: "wide",
      body: html`<h1>Mailbox</h1><p class="lead">Mail that would have gone out. It stays on this machine.</p>
<ol class="mails" role="list">${messages.map(item)}</ol>`
    })

/** Links in a framed mail open in a new tab, not inside the frame, where other pages refuse to be shown. */
const framed = (mail: string): string => mail.replace(/<head>/i, `<head><base target="_blank">`)

/** Send it with `mailPageCsp`: the mail's own styles would not pass the stricter one. */
export const messagePage = (message: MailboxMessage): string =>
  page({
    title: message.subject,
    layout: "mail",
    body: html`<p class="small"><a href="${mailboxPath}">All mail</a></p>
<div class="mail-head"><h1>${message.subject}</h1>
<p class="facts"><span>To <span class="fact">${message.to}</span></span>${time(message.at)}</p>${buttons(message, "filled")}</div>
<div class="letter"><section><h2>As HTML</h2>
<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${framed(message.html)}"></iframe></section>
<section><h2>As plain text</h2><pre>${message.text}</pre></section></div>`
  })

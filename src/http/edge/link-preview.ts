/** What chats and networks show of a link to an open document, by the Open Graph protocol. */
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"

export interface LinkPreview {
  readonly title: string
  /** Where anybody opens it. */
  readonly address: string
  /** How it begins; empty where it has no words. */
  readonly beginning: string
  /** The address of a picture of it; null where there is none. */
  readonly picture: string | null
}

/** Most documents begin with their title, which is told already. */
const behind = (title: string, beginning: string): string => `${beginning} `.startsWith(`${title} `) ? beginning.slice(title.length).trimStart() : beginning

export const linkPreview = ({ address, beginning, picture, title }: LinkPreview): Html => {
  const description = behind(title, beginning)
  return html`<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="svc">
<meta property="og:url" content="${address}">${description !== "" && html`
<meta property="og:description" content="${description}">`}${picture !== null && html`
<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary_large_image">`}`
}

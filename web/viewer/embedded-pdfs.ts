/** Chromium shows no PDF in a sandboxed frame: where an author's page embeds one, a link stands in place of a blank box. */
import { isPdf } from "./links.ts"

type Embedding = HTMLEmbedElement | HTMLIFrameElement | HTMLObjectElement

const EMBEDDING = "embed[src], iframe[src], object[data]"

const addressOf = (one: Embedding): string => one instanceof HTMLObjectElement ? one.data : one.src

const isBlank = (one: Embedding): boolean => {
  const address = addressOf(one)
  const url = URL.canParse(address) ? new URL(address) : undefined
  // What an object holds is shown in its place.
  return url !== undefined && /^https?:$/.test(url.protocol) && isPdf(url) && !(one instanceof HTMLObjectElement && one.childElementCount > 0)
}

/** In an element of its own, since comments find their places by counting siblings of one kind. */
const linkTo = (address: string): HTMLElement => {
  const link = document.createElement("a")
  link.href = address
  link.textContent = "Open the PDF"
  const around = document.createElement("svc-pdf")
  around.append(link)
  return around
}

export const standInForPdfs = (): void => {
  if (!navigator.userAgent.includes("Chrome/")) return
  const links = new Map<Embedding, HTMLElement>()
  /** The element stays, hidden, where the author's script may look for it. */
  const replace = (one: Embedding): void => {
    if (links.has(one) || !isBlank(one)) return
    const link = linkTo(addressOf(one))
    links.set(one, link)
    one.style.setProperty("display", "none", "important")
    one.after(link)
  }
  new MutationObserver((changes) => {
    for (const [one, link] of links) {
      if (one.isConnected) continue
      link.remove()
      links.delete(one)
    }
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches(EMBEDDING)) replace(node as Embedding)
        node.querySelectorAll<Embedding>(EMBEDDING).forEach(replace)
      }
    }
  }).observe(document, { childList: true, subtree: true })
  document.querySelectorAll<Embedding>(EMBEDDING).forEach(replace)
}

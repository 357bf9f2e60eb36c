/** Links that a sandboxed frame cannot follow as the reader expects: the shell opens them instead. */

const HERE = new Set(["", "_self"])
const ABOVE = new Set(["_top", "_parent"])

interface Link {
  readonly href: string
  readonly target: string
  readonly isDownload: boolean
}

/** Of HTML, or of a drawing within the page, whose links are none of HTML's. */
const linkOf = (one: EventTarget): Link | undefined => {
  const isDrawn = one instanceof SVGAElement
  if (!isDrawn && !(one instanceof HTMLAnchorElement) && !(one instanceof HTMLAreaElement)) return undefined
  const [given, target] = isDrawn ? [one.href.baseVal, one.target.baseVal] : [one.href, one.target]
  if (given === "" || !URL.canParse(given, document.baseURI)) return undefined
  return { href: new URL(given, document.baseURI).href, target, isDownload: one.hasAttribute("download") }
}

const clicked = (event: MouseEvent): Link | undefined => {
  for (const one of event.composedPath()) {
    const link = linkOf(one)
    if (link !== undefined) return link
  }
  return undefined
}

const orBase = (target: string): string => target || (document.querySelector<HTMLBaseElement>("base[target]")?.target ?? "")

/** Chromium shows a PDF in no sandboxed frame. */
export const isPdf = ({ pathname }: URL): boolean => /\.pdf$/i.test(pathname)

/** The author's own frames have names too, and links into them work as they are. */
const isFrame = (name: string): boolean =>
  [...document.querySelectorAll<HTMLIFrameElement>("iframe[name],frame[name]")].some((frame) => frame.name === name)

/** What script gets for a window that it has no hold of: closed, and whatever is done with it comes to nothing. Null means to many scripts that it was blocked, and to others an error. */
const closed = (): Window => {
  const frame = document.createElement("iframe")
  document.documentElement.append(frame)
  const inside = frame.contentWindow!
  frame.remove()
  return inside
}

/** How a page leads its reader away from itself. */
export interface Ways {
  /** By the shell: beside this window or, with `top`, in its place. */
  readonly open: (url: string, top: boolean) => void
  /** To another of the author's pages, in place of one around this. */
  readonly lead: (url: URL, above: string) => void
  /** Whether the page is in a frame of the author's own, in which the browser itself shows pages of other origins. */
  readonly inner: boolean
}

export const watchLinks = (shell: string, { inner, lead, open }: Ways): void => {
  /** Goes there, unless the frame can by itself; `given` is the target, `beside` whether the reader asks for another window. */
  const goes = (url: URL, given: string, beside: boolean): boolean => {
    const elsewhere = url.origin !== location.origin
    // What another program opens, too: refused in the frame by the policy around it, it would leave the refusal in place of the page.
    if (!(elsewhere ? /^(?:https?|mailto|tel|sms):$/ : /^https?:$/).test(url.protocol) || isFrame(given)) return false
    const target = given.toLowerCase()
    const top = ABOVE.has(target)
    const apart = beside || !(top || HERE.has(target))
    if (!apart && !top && (elsewhere ? inner && /^https?:$/.test(url.protocol) : !isPdf(url))) return false
    if (elsewhere) open(url.href, top && !apart)
    else if (apart || isPdf(url)) open(shell + url.pathname + url.search + url.hash, !apart)
    else lead(url, target)
    return true
  }
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button > 1) return
    const link = clicked(event)
    if (link === undefined || link.isDownload) return
    const beside = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey
    if (goes(new URL(link.href), orBase(link.target), beside)) event.preventDefault()
  }
  /**
   * Sent within the frame, which shows nothing of other origins, a form would be lost, and what was typed with it; so would one for
   * the page around it, which to the author's page is its own frame.
   */
  const apart = (event: SubmitEvent): void => {
    const { defaultPrevented, submitter, target: form } = event
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return
    const said = (name: string): string => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? ""
    const action = said("action")
    if (!URL.canParse(action, document.baseURI)) return
    const { origin, protocol } = new URL(action, document.baseURI)
    const target = orBase(said("target")).toLowerCase()
    const elsewhere = origin !== location.origin
    if (inner || !/^https?:$/.test(protocol) || !(ABOVE.has(target) || (elsewhere && HERE.has(target)))) return
    const sender = submitter?.hasAttribute("formtarget") === true ? submitter : form
    const name = sender === form ? "target" : "formtarget"
    const before = sender.getAttribute(name)
    sender.setAttribute(name, elsewhere ? "_blank" : "_self")
    // Read when it is sent, right after this.
    setTimeout(() => before === null ? sender.removeAttribute(name) : sender.setAttribute(name, before))
  }
  // On the window, so that the author's own listeners run first.
  addEventListener("click", follow)
  addEventListener("auxclick", follow)
  addEventListener("submit", apart)
  // A window that the frame opens keeps its sandbox, in which no shell opens; the frame has no hold of it either way.
  const original = window.open
  window.open = (...given: Parameters<typeof original>) => {
    const [url = "", target = "", features = ""] = given
    const text = String(url)
    const isGone = text !== "" && URL.canParse(text, document.baseURI) && goes(new URL(text, document.baseURI), target || "_blank", false)
    if (!isGone) return original.apply(window, given)
    return /\bno(?:opener|referrer)\b/i.test(features) ? null : closed()
  }
}

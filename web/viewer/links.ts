/** Links that a sandboxed frame cannot follow as the reader expects: the shell opens them instead. */
import type { FromBridge } from "./messages.ts"

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

export const watchLinks = (shell: string, say: (message: FromBridge) => void): void => {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button > 1) return
    const link = clicked(event)
    if (link === undefined || link.isDownload) return
    const url = new URL(link.href)
    const elsewhere = url.origin !== location.origin
    // What another program opens, too: refused in the frame by the policy around it, it would leave the refusal in place of the page.
    if (elsewhere && !/^(?:https?|mailto|tel|sms):$/.test(url.protocol)) return
    const named = orBase(link.target)
    const target = named.toLowerCase()
    if (isFrame(named)) return
    const top = ABOVE.has(target)
    const alone = top || (!elsewhere && isPdf(url))
    const apart = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey || !(top || HERE.has(target))
    if (!elsewhere && !apart && !alone) return
    event.preventDefault()
    if (elsewhere) say({ svc: "open", url: url.href, top: top && !apart })
    else if (apart || isPdf(url)) say({ svc: "open", url: shell + url.pathname + url.search + url.hash, top: !apart })
    // To the author's page, its own frame is the top window.
    else location.assign(url)
  }
  /** Sent within the frame, which shows nothing of other origins, a form would be lost, and what was typed with it. */
  const apart = (event: SubmitEvent): void => {
    const { defaultPrevented, submitter, target: form } = event
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return
    const said = (name: string): string => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? ""
    const action = said("action")
    if (!URL.canParse(action, document.baseURI)) return
    const { origin, protocol } = new URL(action, document.baseURI)
    const target = orBase(said("target")).toLowerCase()
    if (origin === location.origin || !/^https?:$/.test(protocol) || !(HERE.has(target) || ABOVE.has(target))) return
    const sender = submitter?.hasAttribute("formtarget") === true ? submitter : form
    const name = sender === form ? "target" : "formtarget"
    const before = sender.getAttribute(name)
    sender.setAttribute(name, "_blank")
    // Read when it is sent, right after this.
    setTimeout(() => before === null ? sender.removeAttribute(name) : sender.setAttribute(name, before))
  }
  // On the window, so that the author's own listeners run first.
  addEventListener("click", follow)
  addEventListener("auxclick", follow)
  addEventListener("submit", apart)
}

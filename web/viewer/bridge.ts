/**
 * Runs at the end of every framed page of an author: tells the shell where the page is, what is selected in it and
 * which links lead out of it. It shares its window with the author's script, so the shell trusts nothing that it says.
 */
import { asksToPrint } from "./browser-keys.ts"
import { standInForPdfs } from "./embedded-pdfs.ts"
import { watchMarks } from "./framed-marks.ts"
import { watchLinks } from "./links.ts"
import type { FromBridge, FromInner, FromShell } from "./messages.ts"
import { watchSelection } from "./selection.ts"

const own = [...document.querySelectorAll<HTMLScriptElement>("script[data-svc-shell]")].at(-1)
const shell = own?.dataset["svcShell"]

const start = (shell: string): void => {
  const say = (message: FromBridge): void => window.parent.postMessage(message, shell)

  let hello = true
  let last = ""
  const tell = (): void => {
    const { hash, pathname, search } = location
    const url = pathname + search + hash
    const said = `${url} ${document.title}`
    if (!hello && said === last) return
    last = said
    say({ svc: "at", hello, born: performance.timeOrigin, url, title: document.title })
    hello = false
  }

  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name]
    history[name] = function(...given: Parameters<History["pushState"]>) {
      original.apply(this, given)
      tell()
    }
  }
  addEventListener("popstate", tell)
  addEventListener("hashchange", tell)
  // Restored from the back/forward cache: this page kept its state, but the shell has heard of another page since.
  addEventListener("pageshow", (event) => {
    if (event.persisted) last = ""
    tell()
  })
  new MutationObserver(tell).observe(document.head, { childList: true, characterData: true, subtree: true })

  addEventListener("message", (event: MessageEvent<FromShell>) => {
    if (event.source !== window.parent || event.origin !== shell) return
    if (event.data?.svc === "hello") {
      hello = true
      tell()
    }
    // `replace`, so that the hash adds no history entry: one step back leaves the page, as it would without a frame.
    if (event.data?.svc === "go") location.replace(event.data.hash)
    if (event.data?.svc === "print") {
      say({ svc: "printing" })
      print()
    }
  })
  // Otherwise the browser would print the shell, of which a frame shows no more than is on screen.
  addEventListener("keydown", (event) => {
    if (!asksToPrint(event)) return
    event.preventDefault()
    print()
  })

  standInForPdfs()
  // To the author's page, its own frame is the top window.
  watchLinks(shell, { open: (url, top) => say({ svc: "open", url, top }), lead: (url) => location.assign(url), inner: false })
  addEventListener("message", ({ data, origin, source }: MessageEvent<FromInner | null>) => {
    if (origin !== location.origin || source === window) return
    if (data?.svc === "open") say(data)
    if (data?.svc === "lead") (data.above === "_parent" ? (source as Window).parent : window).location.assign(data.url)
  })
  watchSelection(say)
  watchMarks(shell, say)
  tell()
}

/** In a frame of the author's own: the page around it passes on what only the shell may open, and goes on where this page leads it. */
const startInner = (shell: string): void => {
  let around: Window = window
  while (around.parent !== window.top) around = around.parent
  const ask = (message: FromInner): void => around.postMessage(message, location.origin)
  watchLinks(shell, { open: (url, top) => ask({ svc: "open", url, top }), lead: ({ href }, above) => ask({ svc: "lead", url: href, above }), inner: true })
}

// Only the frame directly inside the shell reports: the address bar does not follow a page in a frame of the author's own.
if (shell !== undefined && window.parent !== window) (window.parent === window.top ? start : startInner)(shell)

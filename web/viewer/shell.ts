/**
 * The page around a framed site: the address bar, the title and the reader's links follow what is in the frame. Its
 * messages are the author's word and affect nothing else.
 */
import { asksToPrint, asksToScroll, isTyping } from "./browser-keys.ts"
import { frameStage } from "./frame-stage.ts"
import type { FromBridge, FromShell } from "./messages.ts"
import { notices } from "./notices.ts"
import type { Key } from "./stage.ts"

const frame = document.querySelector("iframe")!
const origin = frame.dataset["origin"]!
const project = frame.title

const answer = (message: FromShell): void => frame.contentWindow?.postMessage(message, origin)

/** However it is spelt: the server reads paths decoded. */
const OURS = /^\/(?:_|%5f)(?:s|%[57]3)(?:v|%[57]6)(?:c|%[46]3)(?:\/|%2f|$)/i

/** The URL of a path of this host that is the author's; undefined for anything else. */
const ownPath = (text: unknown): URL | undefined => {
  if (typeof text !== "string" || !/^\/(?!\/)/.test(text) || !URL.canParse(location.origin + text)) return undefined
  const url = new URL(location.origin + text)
  return url.origin === location.origin && !OURS.test(url.pathname) ? url : undefined
}

/**
 * Unless a part of the shell has the focus, keys are for the page, which scrolls and turns by them as it would without a shell.
 * By the element: a window in another process is focused a moment later, and would take the focus from what got it meanwhile.
 */
const handOver = (): void => {
  if (document.activeElement === document.body) frame.focus({ preventScroll: true })
}
frame.addEventListener("load", handOver)
addEventListener("keydown", (event) => {
  if (asksToScroll(event)) handOver()
})

const { begun, hear, stage } = frameStage(frame, answer, (path) => {
  const place = ownPath(path)
  if (place !== undefined) location.assign(place)
})

/** A page's path, which the frame may have been sent on to with a slash at its end, or without one. */
const pageAt = (path: string): string => path.replace(/\/$/, "")

/** The hash of a deep link, handed to the first document that says hello. */
let pending = location.hash
let shown = pageAt(location.pathname)

/** The project's version as this page was loaded. A page that the frame has gone on to, or loaded again, is of the newest one by then. */
const version = Number(document.body.dataset["version"])
let read: number | undefined = version
let heard: number | undefined

const at = ({ born, hello, title, url }: Extract<FromBridge, { svc: "at" }>): void => {
  const place = ownPath(url)
  if (place === undefined) return
  if (hello) handOver()
  if (hello && pending !== "") {
    const hash = pending
    pending = ""
    if (pageAt(place.pathname) + place.search === pageAt(location.pathname) + location.search && place.hash !== hash) {
      begun()
      return answer({ svc: "go", hash })
    }
  }
  // A step within the frame already is a step of this window's history: only the address has to follow.
  if (place.href !== location.href) history.replaceState(history.state, "", place)
  const page = pageAt(place.pathname)
  if (hello && (page !== shown || born !== (heard ?? born))) read = undefined
  heard = born
  if (hello || page !== shown) begun()
  shown = page
  const name = typeof title === "string" ? title.trim().slice(0, 300) : ""
  document.title = name === "" || name === project ? project : `${name} · ${project}`
}

const open = ({ top, url: text }: Extract<FromBridge, { svc: "open" }>): void => {
  // Only right after a reader's click; a click in the frame counts here too.
  if (typeof text !== "string" || !URL.canParse(text) || !navigator.userActivation.isActive) return
  const url = new URL(text)
  if (/^(?:mailto|tel|sms):$/.test(url.protocol) || (top === true && /^https?:$/.test(url.protocol) && url.origin === location.origin)) location.assign(url)
  else if (/^https?:$/.test(url.protocol)) window.open(url, "_blank", "noopener")
}

const keys: Array<Key> = []
/** Runs a key pressed here, or reported by the frame right after a reader's action. */
const key = (name: string, event?: KeyboardEvent): void => {
  if (event === undefined && !navigator.userActivation.isActive) return
  keys.find((one) => one.keys.includes(name))?.run(event ?? new KeyboardEvent("keydown", { key: name }))
}
addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, defaultPrevented, metaKey } = event
  if (defaultPrevented || altKey || ctrlKey || metaKey || isTyping(event)) return
  if (keys.some((one) => one.keys.includes(event.key))) event.preventDefault()
  key(event.key, event)
})

/** For a page without a bridge, which does not answer. */
const PATIENCE_MS = 500
let unanswered: ReturnType<typeof setTimeout> | undefined
addEventListener("keydown", (event) => {
  if (!asksToPrint(event)) return
  event.preventDefault()
  clearTimeout(unanswered)
  unanswered = setTimeout(() => print(), PATIENCE_MS)
  answer({ svc: "print" })
})

addEventListener("message", (event: MessageEvent<FromBridge | null>) => {
  if (event.source !== frame.contentWindow || event.origin !== origin) return
  if (event.data?.svc === "at") at(event.data)
  else if (event.data?.svc === "open") open(event.data)
  else if (event.data?.svc === "key") key(event.data.key)
  else if (event.data?.svc === "printing") clearTimeout(unanswered)
  else if (event.data?.svc !== undefined) hear(event.data)
})

// Asks a document that is already in the frame; a later one says hello by itself. The message tells nothing, so any origin may get it.
frame.contentWindow?.postMessage({ svc: "hello" } satisfies FromShell, "*")

// A hash was typed into the address bar of this very page.
addEventListener("hashchange", () => answer({ svc: "go", hash: location.hash }))

const { newer, notice } = notices((made) => frame.before(made))

const talk = document.getElementById("talk")
if (talk !== null) {
  // If the comments fail to load, the site still shows, and says so.
  void import("./comments/comments.ts").then(({ mount }) =>
    mount({
      button: talk, aside: document.getElementById("comments")!, main: frame.parentElement!, stage, base: document.body.dataset["base"]!,
      version, read: () => read, newer, proof: frame.dataset["proof"], keys: (...more) => void keys.push(...more)
    }), () => notice("The comments did not arrive. Reload the page to try again."))
}

/**
 * Pages as on a busy machine: everything a page waits for (frames, observers, the scheduler, answers, events) is delayed
 * by a random time. `SLOW_PAGES=200 npx vitest run test/browser` finds the tests that look before a page is done.
 */
import type { Browser } from "playwright-core"

/** The longest delay, in milliseconds; 0, without any delay, unless set. */
const LONGEST = Number(process.env["SLOW_PAGES"] ?? 0)

/** Runs in each page before its own scripts. */
const delay = (longest: number): void => {
  const later = window.setTimeout.bind(window)
  /** Half of all events are not delayed, which changes their order: that is what finds such tests. */
  const some = (): number => Math.random() < 0.5 ? 0 : Math.random() * longest

  const [ask, drop] = [window.requestAnimationFrame.bind(window), window.cancelAnimationFrame.bind(window)]
  const dropped = new Set<number>()
  // Whatever comes first: what asked first for a frame has the first one, on the slowest machine too.
  const drawing: Array<() => void> = []
  window.requestAnimationFrame = (then) => {
    const id = ask(() => {
      drawing.push(() => void (dropped.delete(id) || then(performance.now())))
      later(() => drawing.shift()!(), some())
    })
    return id
  }
  window.cancelAnimationFrame = (id) => {
    dropped.add(id)
    drop(id)
  }

  type Seen = (entries: Array<never>, observer: never) => void
  type Observing = new(then: Seen, options?: object) => object
  const observers = window as unknown as Record<string, Observing>
  // Mutations are reported before anything is painted, on the slowest machine too, so their observer is not delayed.
  for (const name of ["ResizeObserver", "IntersectionObserver"]) {
    observers[name] = class extends observers[name]! {
      constructor(then: Seen, options?: object) {
        super((entries, observer) => later(() => then(entries, observer), some()), options)
      }
    }
  }

  // React schedules its work this way, and needs the order kept.
  const { postMessage } = MessagePort.prototype
  let latest = 0
  MessagePort.prototype.postMessage = function(this: MessagePort, ...message: Array<never>) {
    latest = Math.max(latest, performance.now() + some() / 4)
    later(() => Reflect.apply(postMessage, this, message), latest - performance.now())
  }

  const { fetch } = window
  window.fetch = async (...asked) => {
    const answer = await fetch(...asked)
    return new Promise((arrive) => later(() => arrive(answer), some()))
  }

  const streams: EventTarget = EventSource.prototype
  const { addEventListener } = streams
  streams.addEventListener = function(name, then) {
    const heard: EventListener = (event) => typeof then === "function" ? then.call(this, event) : then?.handleEvent(event)
    addEventListener.call(this, name, (event) => later(() => heard.call(this, event), some()))
  }
}

export const slowed = (browser: Browser): Browser => {
  if (LONGEST === 0) return browser
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    if (options?.javaScriptEnabled !== false) await context.addInitScript(delay, LONGEST)
    return context
  }
  return browser
}

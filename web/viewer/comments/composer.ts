/** A field to write in: its text is kept until it is sent, and stays if sending fails. */
import { bodyOf, button, make } from "./elements.ts"

const MOST = 10_000
/** From this length on, the number of characters left is shown. */
const NEAR = 9_500

/** Storage key of the idempotency keys of requests never answered. */
export const SENDING = "sending"

export interface ComposerOptions {
  /** Storage key of the draft, which is kept for this window. */
  readonly key: string
  readonly label: string
  readonly action: string
  readonly text?: string
  readonly send: (body: string) => Promise<void>
  /** Called once it was sent and nothing of it is kept here. */
  readonly sent?: () => void
  /** Absent for a field that is always there. */
  readonly cancel?: () => void
  /** What to show after a failure besides its message: the way to sign in, where the session is over. */
  readonly wayOn?: (error: unknown) => HTMLElement | undefined
}

export interface Composer {
  readonly element: HTMLElement
  readonly focus: () => void
}

const lengthOf = (text: string): number => text.length <= NEAR ? text.length : [...text].length

/** Storage may be forbidden or full: what it did not take is kept as long as this page lives. */
const untaken = new Map<string, string>()

export const kept = (key: string): string | null => {
  try {
    return untaken.get(key) ?? sessionStorage.getItem(`svc-comment ${key}`)
  } catch {
    return null
  }
}

/** The rest of every key that begins with `start`. */
export const keptUnder = (start: string): ReadonlyArray<string> => {
  const here = [...untaken.keys()].flatMap((key) => key.startsWith(start) ? [key.slice(start.length)] : [])
  try {
    const whole = `svc-comment ${start}`
    return [...here, ...Object.keys(sessionStorage).flatMap((key) => key.startsWith(whole) ? [key.slice(whole.length)] : [])]
  } catch {
    return here
  }
}

export const keep = (key: string, text: string | null): void => {
  untaken.delete(key)
  try {
    if (text === null) sessionStorage.removeItem(`svc-comment ${key}`)
    else sessionStorage.setItem(`svc-comment ${key}`, text)
  } catch {
    if (text !== null) untaken.set(key, text)
  }
}

let made = 0

export const composer = ({ action, cancel, key, label, send, sent, text, wayOn }: ComposerOptions): Composer => {
  const id = `comment-trouble-${++made}`
  const area = make("textarea", { rows: 1, placeholder: label, value: kept(key) ?? text ?? "" })
  area.setAttribute("aria-label", label)
  area.setAttribute("aria-describedby", id)
  const left = make("span", { className: "left" })
  const trouble = make("p", { className: "trouble", id })
  trouble.setAttribute("role", "alert")
  const submit = make("button", { type: "submit", className: "post", textContent: action, title: `${action} (Ctrl+Enter)` })

  let helps: HTMLElement | undefined

  const show = (): void => {
    const length = lengthOf(area.value.trim())
    left.textContent = length > NEAR ? `${(MOST - length).toLocaleString()} characters left` : ""
    left.classList.toggle("over", length > MOST)
    submit.disabled = length === 0 || length > MOST || element.ariaBusy === "true"
    area.style.height = "auto"
    if (area.scrollHeight > 0) area.style.height = `${area.scrollHeight + 2}px`
    element.classList.toggle("written", length > 0)
  }

  const put = async (): Promise<void> => {
    if (submit.disabled) return
    const body = area.value.trim()
    // Shown at once as it will look when posted; if sending fails, the field comes back.
    const sending = make("div", { className: "sending" }, bodyOf(body), make("p", { className: "state", textContent: "Sending…" }))
    element.ariaBusy = "true"
    trouble.textContent = ""
    helps?.remove()
    element.prepend(sending)
    try {
      await send(body)
      area.value = ""
      keep(key, null)
      sent?.()
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : String(error)
      submit.textContent = "Try again"
      helps = wayOn?.(error)
      if (helps !== undefined) element.append(helps)
    }
    sending.remove()
    element.ariaBusy = null
    show()
    if (trouble.textContent === "") submit.textContent = action
    else area.focus()
  }

  const leave = cancel && ((): void => {
    keep(key, null)
    // Once cancelled, the same text sent again is another comment.
    keep(SENDING, null)
    cancel()
  })
  const element = make("form", { className: "composer" }, area,
    make("div", { className: "row" }, left, leave && button("Cancel", leave), submit), trouble)
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    void put()
  })
  area.addEventListener("input", () => {
    keep(key, area.value === (text ?? "") ? null : area.value)
    show()
  })
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void put()
    }
    if (event.key === "Escape" && leave !== undefined && area.value.trim() === (text ?? "").trim()) {
      event.stopPropagation()
      leave()
    }
  })
  queueMicrotask(show)
  new ResizeObserver(show).observe(area.parentElement!)

  return {
    element,
    focus: () => {
      area.focus({ preventScroll: true })
      area.setSelectionRange(area.value.length, area.value.length)
    }
  }
}

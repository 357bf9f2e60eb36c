/** A field to write in: its text is kept until it is sent, and stays if sending fails. */
import { Another, Refused } from "./client.ts"
import { bodyOf, button, make, waits } from "./elements.ts"
import { keep, kept } from "./keeping.ts"
import { givenUp } from "./sending.ts"

const MOST = 10_000
/** From this length on, the number of characters left is shown. */
const NEAR = 9_500

/** What a field asks of its reader. */
export interface Writer {
  /** The address of whoever is signed in, as far as this page knows. */
  readonly person: () => string | undefined
  /** What to show after a failure besides its message: the way to sign in, where the session is over. */
  readonly wayOn: (error: unknown) => HTMLElement | undefined
}

export interface ComposerOptions {
  /** Storage key of the draft, which is kept for this window. */
  readonly key: string
  readonly label: string
  readonly action: string
  readonly text?: string
  /** `as`: whose words they are. */
  readonly send: (body: string, as: string | undefined) => Promise<void>
  /** Called once it was sent and nothing of it is kept here. `isHere`: the reader has not gone on elsewhere. */
  readonly sent?: (isHere: boolean) => void
  /** Absent for a field that is always there. */
  readonly cancel?: () => void
  readonly who: Writer
}

export interface Composer {
  readonly element: HTMLElement
  readonly focus: () => void
}

const lengthOf = (text: string): number => text.length <= NEAR ? text.length : [...text].length

let made = 0

export const composer = ({ action, cancel, key, label, send, sent, text, who }: ComposerOptions): Composer => {
  const id = `comment-trouble-${++made}`
  const area = make("textarea", { rows: 1, placeholder: label, value: kept(key) ?? text ?? "" })
  area.setAttribute("aria-label", label)
  area.setAttribute("aria-describedby", id)
  const left = make("span", { className: "left" })
  const trouble = make("p", { className: "trouble", id })
  trouble.setAttribute("role", "alert")
  const submit = make("button", { type: "submit", className: "post", textContent: action, title: `${action} (Ctrl+Enter)` })

  let helps: HTMLElement | undefined
  /** Who began these words: somebody else who signs in while they stand here sends them only knowing that. */
  let as = who.person()
  /** What was sent from here without an answer. */
  const tried = new Set<string>()

  const show = (): void => {
    const length = lengthOf(area.value.trim())
    left.textContent = length > NEAR ? `${(MOST - length).toLocaleString()} characters left` : ""
    left.classList.toggle("over", length > MOST)
    submit.disabled = length === 0 || length > MOST || element.ariaBusy === "true"
    const before = area.offsetHeight
    area.style.height = "auto"
    if (area.scrollHeight > 0) area.style.height = `${area.scrollHeight + 2}px`
    if (area.offsetHeight > before && document.activeElement === area) submit.scrollIntoView({ block: "nearest" })
    element.classList.toggle("written", length > 0)
  }

  const put = async (): Promise<void> => {
    if (submit.disabled) return
    const body = area.value.trim()
    const isHere = waits()
    // Shown at once as it will look when posted; if sending fails, the field comes back.
    const sending = make("div", { className: "sending" }, bodyOf(body), make("p", { className: "state", textContent: "Sending…" }))
    element.ariaBusy = "true"
    trouble.textContent = ""
    helps?.remove()
    element.prepend(sending)
    let isMore = false
    try {
      tried.add(body)
      await send(body, as)
      tried.delete(body)
      // Words typed meanwhile were not sent.
      isMore = !["", body].includes(area.value.trim())
      if (!isMore) {
        area.value = ""
        keep(key, null)
        sent?.(isHere())
      }
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : String(error)
      if (error instanceof Another) {
        as = error.email
        trouble.textContent = `You are signed in as ${as} now, so this was not sent. Send it as that account, or sign in as before in another tab first.`
        submit.textContent = "Send as that account"
      } else submit.textContent = error instanceof Refused && error.isShut ? action : "Try again"
      helps = who.wayOn(error)
      if (helps !== undefined) element.append(helps)
    }
    sending.remove()
    element.ariaBusy = null
    show()
    if (trouble.textContent === "") submit.textContent = action
    if ((isMore || trouble.textContent !== "") && isHere()) area.focus()
  }

  const leave = cancel && ((): void => {
    keep(key, null)
    for (const body of tried.add(area.value.trim())) givenUp(body)
    cancel()
  })
  const element = make("form", { className: "composer" }, area,
    make("div", { className: "row" }, left, leave && button("Cancel", leave), submit), trouble)
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    void put()
  })
  area.addEventListener("beforeinput", () => {
    if (area.value === (text ?? "")) as = who.person()
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

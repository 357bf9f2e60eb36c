/** The field that takes the bar over while a reader searches a document: how much was found, and the steps from match to match. */
import { reading, tool } from "./tools.ts"

export interface FindBarOptions {
  /** Gets the focus once the field is closed. */
  readonly back: HTMLElement
  readonly typed: () => void
  /** Called by the buttons, and by Enter in the field. */
  readonly step: (by: 1 | -1) => void
  readonly closed: () => void
}

export interface FindBar {
  readonly field: HTMLInputElement
  readonly isOpen: () => boolean
  /** `label`: "Find in the text". For a number there is nothing to count or to step through. */
  readonly open: (label: string, value: string, isNumber?: boolean) => void
  /** How much was found, in words; without any, the steps are disabled. */
  readonly tell: (words: string, any: boolean) => void
  /** Returns whether it was open. */
  readonly close: () => boolean
}

export const findBar = (tools: HTMLElement, { back, closed, step, typed }: FindBarOptions): FindBar => {
  const bar = Object.assign(document.createElement("form"), { className: "finder", hidden: true })
  const field = Object.assign(document.createElement("input"), { type: "text", autocomplete: "off", spellcheck: false, enterKeyHint: "search" })
  const told = reading()
  const steps = [
    tool({ icon: "up", label: "Previous", key: "Shift+Enter", run: () => step(-1) }),
    tool({ icon: "down", label: "Next", key: "Enter", run: () => step(1) })
  ]

  const show = (on: boolean): void => {
    bar.hidden = !on
    for (const one of tools.children) if (one !== bar && one instanceof HTMLElement) one.hidden = on
  }
  const tell = (words: string, any: boolean): void => {
    told.textContent = words
    for (const button of steps) button.disabled = !any
  }
  const close = (): boolean => {
    if (bar.hidden) return false
    show(false)
    closed()
    back.focus({ preventScroll: true })
    return true
  }

  field.addEventListener("input", typed)
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      // The page's own Escape would close the comments too.
      event.preventDefault()
      return void close()
    }
    if (event.target !== field || event.key !== "Enter" || event.isComposing) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  })
  bar.addEventListener("submit", (event) => event.preventDefault())
  bar.append(field, told, ...steps, tool({ icon: "close", label: "Close", key: "Esc", run: close }))
  tools.append(bar)

  return {
    field,
    isOpen: () => !bar.hidden,
    tell,
    close,
    open: (label, value, isNumber = false) => {
      show(true)
      for (const one of [told, ...steps]) one.hidden = isNumber
      Object.assign(field, { value, placeholder: label, inputMode: isNumber ? "numeric" : "search" })
      field.setAttribute("aria-label", label)
      tell("", false)
      field.focus()
      field.select()
    }
  }
}

/** The buttons of the bar over a document. */
import { iconText } from "../../src/look/icons.ts"
import type { Icon } from "../../src/look/icons.ts"

export interface Tool {
  readonly icon: Icon
  readonly label: string
  /** The key that does the same as a click. */
  readonly key?: string
  /** For a switch: whether it is on at first. */
  readonly pressed?: boolean
  readonly run: () => void
}

export const tool = ({ icon, key, label, pressed, run }: Tool): HTMLButtonElement => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "tool"
  button.innerHTML = iconText(icon)
  button.title = key === undefined ? label : `${label} (${key})`
  button.setAttribute("aria-label", label)
  if (key !== undefined) button.setAttribute("aria-keyshortcuts", key.replace(/^Esc$/, "Escape"))
  if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed))
  button.addEventListener("click", run)
  return button
}

/** A value shown in the bar, such as `100 %`. */
export const reading = (): HTMLOutputElement => Object.assign(document.createElement("output"), { className: "reading" })

/** The line over a table or tree: a field for words, counts, and a few buttons. */
import { made } from "./dom.ts"

export interface Strip {
  readonly element: HTMLElement
  readonly field: HTMLInputElement
  /** How much there is, and what the search found. */
  readonly told: HTMLElement
  /** How much of the file has arrived, while it loads. */
  readonly coming: HTMLElement
  readonly buttons: HTMLElement
}

export const makeStrip = (label: string): Strip => {
  const field = made("input", "", { type: "text", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "aria-label": label, placeholder: label })
  const told = made("output", "told")
  const coming = made("span", "coming")
  const buttons = made("div", "buttons")
  return { field, told, coming, buttons, element: made("div", "strip", {}, field, made("p", "line", {}, told, coming), buttons) }
}

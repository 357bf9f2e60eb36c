/** The filter: open, resolved or all comments, each with its count. */
import { make } from "./elements.ts"
import { FILTERS } from "./threads.ts"
import type { Filter } from "./threads.ts"

const LABELS: Readonly<Record<Filter, string>> = { open: "Open", resolved: "Resolved", all: "All" }

export const filters = (show: (name: Filter) => void) => {
  const choices = FILTERS.map((name) => {
    const amount = make("span", { className: "amount" })
    return { name, amount, element: make("button", { type: "button", onclick: () => show(name) }, LABELS[name], " ", amount) }
  })
  const element = make("div", { className: "filters" }, ...choices.map(({ element }) => element))
  element.setAttribute("role", "group")
  element.setAttribute("aria-label", "Which comments")

  const update = (amounts: Readonly<Record<Filter, number>>, shown: Filter): void => {
    for (const { amount, element, name } of choices) {
      amount.textContent = String(amounts[name])
      element.setAttribute("aria-pressed", String(name === shown))
    }
  }
  return { element, update }
}

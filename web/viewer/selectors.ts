/** Where in a page an element is, as a CSS selector: steps up to the nearest ancestor with an id, which names one element of a page. */

export const selectorOf = (element: Element): string => {
  const steps: Array<string> = []
  for (let at: Element | null = element; at !== null && at !== document.documentElement; at = at.parentElement) {
    if (at.id !== "") return [`#${CSS.escape(at.id)}`, ...steps].join(">")
    const name = at.localName
    const alike = [...(at.parentElement?.children ?? [])].filter((other) => other.localName === name)
    steps.unshift(alike.length > 1 ? `${CSS.escape(name)}:nth-of-type(${alike.indexOf(at) + 1})` : CSS.escape(name))
  }
  return steps.join(">")
}

/** As `CSS.escape` writes it: a space may end a code. */
const NAME = String.raw`(?:[\w\u0080-\uffff-]|\\[^\n]|(?<=[^\\]\\[\da-f]{1,6}) )+`
const STEP = String.raw`${NAME}(?::nth-of-type\(\d{1,9}\))?`
const STEPS = new RegExp(`^(?:#${NAME}|${STEP})(?:>${STEP})*$`)

/** Whether it has that form. With others, such as a list of `:has()`, whoever comments could keep the browsers of all readers busy. */
export const isSteps = (selector: string): boolean => STEPS.test(selector)

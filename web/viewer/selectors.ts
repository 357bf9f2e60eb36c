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
const PART = String.raw`[#.]${NAME}|\[${NAME}(?:[~|^$*]?=(?:"[^"\\\n]*"|'[^'\\\n]*'|[\w-]+))?\]|:nth-(?:of-type|child)\(\d{1,9}\)|:(?:first|last)-(?:of-type|child)`
const STEP = String.raw`(?:(?:${NAME}|\*)(?:${PART})*|(?:${PART})+)`
const STEPS = String.raw`${STEP}(?: ?> ?${STEP})*`
const SIMPLE = new RegExp(`^${STEPS}(?: ${STEPS}){0,2}$`)

/**
 * Whether an element is found by it at once: by names, classes, ids, attributes and places, from child to child, with two leaps at most.
 * With others, such as a list of `:has()`, whoever comments could keep the browsers of all readers busy.
 */
export const isSimple = (selector: string): boolean => SIMPLE.test(selector)

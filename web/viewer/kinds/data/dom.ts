/** Makes an element with attributes and children in one call. */

export const made = <Name extends keyof HTMLElementTagNameMap>(
  name: Name, className: string, attributes: Readonly<Record<string, string>> = {}, ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  if (className !== "") element.className = className
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** Writes only what differs, so that the browser need not lay it out again. */
export const say = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text
}

/** So many signs in one text, which is many more than fit on its line. */
const SIGNS = 40

/** As `say`. What would be drawn as a space gets a sign, which styles draw: the text itself stays what it is, for ranges, for copying and aloud. */
export const saySigned = (element: Element, text: string, unseen: RegExp, sign: (found: string) => string): void => {
  if (text.search(unseen) === -1) return say(element, text)
  if (element.textContent === text) return
  const parts: Array<Node | string> = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(unseen)) {
    parts.push(text.slice(from, index), made("span", "unseen", { "data-sign": sign(found) }, found))
    from = index + found.length
    if (parts.length === 2 * SIGNS) break
  }
  element.replaceChildren(...parts, text.slice(from))
}

/** As `say`, an attribute; undefined removes it. */
export const mark = (element: Element, name: string, value: string | undefined): void => {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

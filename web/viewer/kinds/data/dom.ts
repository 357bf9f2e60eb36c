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
export const mark = (element: Element, name: string, value: string | undefined): void => {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

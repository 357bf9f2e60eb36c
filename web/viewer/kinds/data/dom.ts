/** Elements with what they are, in one go. */

export const made = <Name extends keyof HTMLElementTagNameMap>(
  name: Name, className: string, attributes: Readonly<Record<string, string>> = {}, ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  if (className !== "") element.className = className
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** Only where it says something else: the browser need not lay it out again. */
export const say = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text
}
export const mark = (element: Element, name: string, value: string | undefined): void => {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

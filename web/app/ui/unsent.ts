/** Whether leaving the page would lose somebody's words, or what it asks about before it is left. What is searched for is no loss. */
const typedIn = new WeakSet<EventTarget>()

addEventListener("input", ({ target }) => target !== null && typedIn.add(target))

/** Where the button of a form is off, there is nothing to send: what stands in it was sent, or is as it was. */
const isOff = "[type=submit][aria-disabled=true]:not([aria-busy=true])"

const isUnsent = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
  typedIn.has(field) && field.value !== "" && field.form?.querySelector(isOff) === null

export const hasUnsent = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("form input, form textarea")].some(isUnsent)
  || !dispatchEvent(new Event("beforeunload", { cancelable: true }))

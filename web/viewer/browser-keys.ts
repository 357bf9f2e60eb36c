/** Keys that mean something to the browser, in any page. */

/** Ctrl+P, or ⌘P, unless the page has done something else about it. */
export const asksToPrint = ({ altKey, ctrlKey, defaultPrevented, key, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !defaultPrevented && (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "p"

const SCROLL = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " "])

/** A key that scrolls, unless the page has done something else about it. */
export const asksToScroll = ({ altKey, ctrlKey, defaultPrevented, key, metaKey }: KeyboardEvent): boolean =>
  !defaultPrevented && SCROLL.has(key) && !altKey && !ctrlKey && !metaKey

/** In a text field, a key is typed text. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(?:checkbox|radio|button)$/.test(target.type)))

/** Ctrl or ⌘ with this letter, which is a capital where the shift is locked. */
export const isCommand = ({ ctrlKey, key, metaKey, shiftKey }: KeyboardEvent, letter: string): boolean =>
  (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === letter

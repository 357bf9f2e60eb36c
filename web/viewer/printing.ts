/** Ctrl+P, or ⌘P, unless the page has done something else about it. */
export const asksToPrint = ({ altKey, ctrlKey, defaultPrevented, key, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !defaultPrevented && (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "p"

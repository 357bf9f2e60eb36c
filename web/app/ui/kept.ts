/** Words that the browser keeps for this tab, or for all of its tabs. Where it forbids that, nothing is kept, and nobody is troubled. */
type Where = "sessionStorage" | "localStorage"

export const kept = (key: string, where: Where = "sessionStorage"): string | null => {
  try {
    return globalThis[where].getItem(key)
  } catch {
    return null
  }
}

/** `null` forgets it. */
export const keep = (key: string, text: string | null, where: Where = "sessionStorage"): void => {
  try {
    if (text === null) globalThis[where].removeItem(key)
    else globalThis[where].setItem(key, text)
  } catch {
    // Then it lasts only until the page is left.
  }
}

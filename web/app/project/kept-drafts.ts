/** Unsent text, kept in this tab by a key that names whose it is. */
const KEPT = "svc-drafts"

export const keptDrafts = (): ReadonlyMap<string, string> => {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as ReadonlyArray<readonly [string, string]>)
  } catch {
    return new Map()
  }
}

export const keepDrafts = (drafts: ReadonlyMap<string, string>): void => {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...drafts]))
  } catch {
    // Then it is kept only until the page is left.
  }
}

export const forgetDrafts = (): void => {
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // Nothing was kept.
  }
}

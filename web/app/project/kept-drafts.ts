/** Unsent text, kept in this tab by a key that names whose it is. */
import { keep, kept } from "../ui/kept.ts"

const KEPT = "svc-drafts"

export const keptDrafts = (): ReadonlyMap<string, string> => {
  try {
    return new Map(JSON.parse(kept(KEPT) ?? "[]") as ReadonlyArray<readonly [string, string]>)
  } catch {
    return new Map()
  }
}

export const keepDrafts = (drafts: ReadonlyMap<string, string>): void => keep(KEPT, JSON.stringify([...drafts]))

export const forgetDrafts = (): void => keep(KEPT, null)

/** The order of test files: those that start programs or browsers first, since one of them at the end would run alone. */
import { readFileSync } from "node:fs"
import { BaseSequencer } from "vitest/node"

const kind = ({ moduleId }) => {
  const source = readFileSync(moduleId, "utf8")
  if (/playwright|support\/browser\.ts"/.test(source)) return "browser"
  return /support\/(?:program|pair)\.ts"/.test(source) ? "program" : "quick"
}

/** Alternating: a browser keeps every core busy, while tests that start programs mostly wait for them. */
const byTurns = (one, other) => {
  const turns = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [one[index], other[index]])
  return turns.flat().filter((file) => file !== undefined)
}

export default class SlowFirst extends BaseSequencer {
  async sort(files) {
    const kinds = Object.groupBy(await super.sort(files), kind)
    return [...byTurns(kinds.browser ?? [], kinds.program ?? []), ...(kinds.quick ?? [])]
  }
}

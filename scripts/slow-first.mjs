/** In which order test files run: those that start programs or browsers first, since one of them at the end would run alone. */
import { readFileSync } from "node:fs"
import { BaseSequencer } from "vitest/node"

const weight = ({ moduleId }) => {
  const source = readFileSync(moduleId, "utf8")
  if (/support\/(?:program|pair)\.ts"/.test(source)) return 0
  return /playwright|support\/browser\.ts"/.test(source) ? 1 : 2
}

export default class SlowFirst extends BaseSequencer {
  async sort(files) {
    const weighed = (await super.sort(files)).map((file) => ({ file, weight: weight(file) }))
    return weighed.sort((a, b) => a.weight - b.weight).map(({ file }) => file)
  }
}

/** Variables that look like ours and that nothing reads: most likely misspelt. */

/** How many letters have to be changed, added or removed to make one word of the other. */
const apart = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row++) {
    const line = [row + 1]
    for (let at = 0; at < other.length; at++) {
      line.push(Math.min(above[at + 1]! + 1, line[at]! + 1, above[at]! + (one[row] === other[at] ? 0 : 1)))
    }
    above = line
  }
  return above[other.length]!
}

const CLOSE = 2

export interface Stranger {
  readonly name: string
  /** The known name that is nearest, if it is near enough to be what was meant. */
  readonly meant: string | undefined
}

export const strangersIn = (environment: Readonly<Record<string, string | undefined>>, known: ReadonlyArray<string>): ReadonlyArray<Stranger> =>
  Object.keys(environment).filter((name) => name.startsWith("SVC_") && environment[name] !== "" && !known.includes(name)).map((name) => ({
    name,
    meant: known.map((one) => ({ one, by: apart(name, one) })).filter(({ by }) => by <= CLOSE).sort((a, b) => a.by - b.by)[0]?.one
  }))

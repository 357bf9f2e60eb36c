/**
 * Which browsers came to a project from one address on a day, so that one machine that changes its browser's name with every load is
 * neither thousands of visitors nor thousands of rows. An instance knows only those that came to it.
 */

/** More than an office behind one address has. */
export const MOST_BROWSERS = 256

/** Of all addresses; those that came first are forgotten beyond it. */
const MOST_KNOWN = 50_000

/** All of one address beyond those. */
const FURTHER = ""

export const makeBrowsers = () => {
  const known = new Map<string, Set<string>>()
  let size = 0

  const forgetFirst = (): void => {
    const [first, browsers] = known.entries().next().value!
    known.delete(first)
    size -= browsers.size
  }

  /** What it is counted as. `of` names the project, the address and the day. */
  return (of: string, userAgent: string): string => {
    const browsers = known.get(of)
    if (browsers === undefined) known.set(of, new Set([userAgent]))
    else if (browsers.has(userAgent)) return userAgent
    else if (browsers.size >= MOST_BROWSERS) return FURTHER
    else browsers.add(userAgent)
    size++
    if (size > MOST_KNOWN) forgetFirst()
    return userAgent
  }
}

/** The query of an address as plain texts: what an agent or a mail wrote there stays as it was, and is not parsed as JSON. */

/** A parameter given more than once is ignored: it could be read two ways. */
export const parseSearch = (text: string): Record<string, string> => {
  const given = new URLSearchParams(text)
  return Object.fromEntries([...given].filter(([name]) => given.getAll(name).length === 1))
}

/** What a route takes from its address. What its check leaves out the router would hand on as it stands there, so it is taken out by name. */
export const checked = <Search extends object>(names: ReadonlyArray<keyof Search & string>, check: (given: Record<string, unknown>) => Search) => (given: Record<string, unknown>): Search => ({
  ...Object.fromEntries(names.map((name) => [name, undefined])),
  ...check(given)
})

export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).flatMap(([name, value]) => value === undefined || value === null ? [] : [[name, String(value)]])
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

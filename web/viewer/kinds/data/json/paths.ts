/** Paths into JSON as text, `$.items[3]["odd key"]`, and back. Pure. */

export type Path = ReadonlyArray<string | number>

const PLAIN = /^[A-Za-z_$][\w$]*$/

export const pathText = (path: Path): string =>
  `$${path.map((key) => typeof key === "number" ? `[${key}]` : PLAIN.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`).join("")}`

/** As we write it, or as people do who know other ways: `$['a'].b-c`, `.a[0]` or `a.0` without a `$`, `/a/0`. */
export const pathOf = (text: string): Path | undefined => {
  if (text.startsWith("/")) return text.slice(1).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
  const path: Array<string | number> = []
  const written = text.startsWith("$") ? text.slice(1) : /^[.[]/.test(text) ? text : `.${text}`
  const step = /\.([^\s.[\]"'#>:,()*]+)|\[(\d{1,10})\]|\[("(?:[^"\\]|\\.)*")\]|\['((?:[^'\\]|\\.)*)'\]/y
  for (step.lastIndex = 0; step.lastIndex < written.length;) {
    const found = step.exec(written)
    if (found === null) return undefined
    const [, name, index, quoted, single] = found
    try {
      path.push(name ?? single?.replace(/\\(['\\])/g, "$1") ?? (index === undefined ? String(JSON.parse(quoted!)) : Number(index)))
    } catch {
      return undefined
    }
  }
  return path
}

/** The same path with each key as a list or an object has it: people write `items.3`. */
export const fitted = (path: Path, at: (path: Path) => unknown): Path =>
  path.reduce<Path>((done, key) => [...done, Array.isArray(at(done)) ? /^\d{1,10}$/.test(String(key)) ? Number(key) : key : String(key)], [])

/** Paths into JSON as text, `$.items[3]["odd key"]`, and back. Pure. */

export type Path = ReadonlyArray<string | number>

const PLAIN = /^[A-Za-z_$][\w$]*$/

export const pathText = (path: Path): string =>
  `$${path.map((key) => typeof key === "number" ? `[${key}]` : PLAIN.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`).join("")}`

export const pathOf = (text: string): Path | undefined => {
  if (!text.startsWith("$")) return undefined
  const path: Array<string | number> = []
  const step = /\.([A-Za-z_$][\w$]*)|\[(\d{1,10})\]|\[("(?:[^"\\]|\\.)*")\]/y
  for (step.lastIndex = 1; step.lastIndex < text.length;) {
    const found = step.exec(text)
    if (found === null) return undefined
    const [, name, index, quoted] = found
    try {
      path.push(name ?? (index === undefined ? String(JSON.parse(quoted!)) : Number(index)))
    } catch {
      return undefined
    }
  }
  return path
}

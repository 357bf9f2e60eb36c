/** The patterns in JSON schemas, which clients in other languages compile. */

const patternsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => key === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner))

/** Those that some language cannot compile: Go, Rust and RE2 know no lookaround and no \u, Python no \p, and JSON Schema recommends neither (§6.4). */
export const foreignPatterns = (document: unknown): ReadonlyArray<string> => patternsIn(document).filter((pattern) => /\(\?(?!:)|\\[pPuUkK\d]/.test(pattern))

/** Indents JSON that was written in one line: one line per value. */

/** Deeper lines are not indented further: they would be all blanks. */
const DEEPEST = 32

/** Works on tokens alone, so the text may be cut off or no valid JSON. */
export const indented = (text: string): string => {
  const parts: Array<string> = []
  let depth = 0
  const line = () => `\n${"  ".repeat(Math.min(depth, DEEPEST))}`
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (token === "{" || token === "[") {
      depth++
      parts.push(token, line())
    } else if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1)
      const empty = parts.at(-2) === (token === "}" ? "{" : "[") && parts.at(-1)!.startsWith("\n")
      if (empty) parts.pop()
      parts.push(empty ? token : line() + token)
    } else parts.push(token === "," ? "," + line() : token === ":" ? ": " : token)
  }
  return parts.join("")
}

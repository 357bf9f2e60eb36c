/** Parses JSON text; if it is invalid, says why and where. Pure. */
import { faultOf, MORE, SHORT } from "./json-fault.ts"
import { marked } from "./json-numbers.ts"

export interface Broken {
  readonly why: string
  readonly line: number
  readonly column: number
}

const broken = (text: string, error: unknown, lines = 0): Broken => {
  // A RangeError is about the size of the text, not about its content.
  if (error instanceof RangeError) throw error
  const { at, why } = faultOf(text) ?? { at: 0, why: "It cannot be read" }
  const before = text.slice(0, at)
  return { why, line: lines + before.split("\n").length, column: at - before.lastIndexOf("\n") }
}

/** `exact`: some numbers must keep their digits (json-numbers.ts). Values on lines of their own are read as such, whatever the file is called. */
export const read = (text: string, exact: boolean): { readonly value: unknown } | Broken => {
  try {
    return { value: JSON.parse(exact ? marked(text) : text) as unknown }
  } catch (error) {
    const whole = broken(text, error)
    const lines = whole.why === MORE && whole.column === 1 ? readLines(text, exact) : whole
    return "value" in lines || lines.line > whole.line ? lines : whole
  }
}

/** One value per line. */
export const readLines = (text: string, exact: boolean): { readonly value: ReadonlyArray<unknown> } | Broken => {
  const value: Array<unknown> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    try {
      value.push(JSON.parse(exact ? marked(line) : line))
    } catch (error) {
      const fault = broken(line, error, index)
      return fault.why === SHORT ? { ...fault, why: "The line ends too early" } : fault
    }
  }
  return { value }
}

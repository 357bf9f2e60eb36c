/** JSON text as values; where it is none, why and where. Pure. */
import { faultOf } from "./json-fault.ts"

export interface Broken {
  readonly why: string
  readonly line: number
  readonly column: number
}

const broken = (text: string, error: unknown, lines = 0): Broken => {
  // Not what it says, but how much of it there is.
  if (error instanceof RangeError) throw error
  const { at, why } = faultOf(text) ?? { at: 0, why: "It cannot be read" }
  const before = text.slice(0, at)
  return { why, line: lines + before.split("\n").length, column: at - before.lastIndexOf("\n") }
}

export const read = (text: string): { readonly value: unknown } | Broken => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return broken(text, error)
  }
}

/** A value a line. */
export const readLines = (text: string): { readonly value: ReadonlyArray<unknown> } | Broken => {
  const value: Array<unknown> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    try {
      value.push(JSON.parse(line))
    } catch (error) {
      return broken(line, error, index)
    }
  }
  return { value }
}

/** Where a text stops being JSON (RFC 8259): browsers say it in words of their own, or not at all. Pure; not recursive. */

export interface Fault {
  readonly at: number
  readonly why: string
}

export const MORE = "There is more after the end"
export const SHORT = "The file ends too early"

const SPACE = /[\t\n\r ]*/y
const SCALAR = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

export const faultOf = (text: string): Fault | undefined => {
  const open: Array<"{" | "["> = []
  /** What may come next; after `first`, the list or object may also end at once. */
  let next: "value" | "first value" | "key" | "first key" | "colon" | "end" = "value"
  let at = 0
  for (;;) {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
    const sign = text[at]
    if (sign === "/" && /[/*]/.test(text[at + 1] ?? "")) return { at, why: "JSON has no comments" }
    if (sign === undefined) return next === "end" && open.length === 0 ? undefined : { at, why: SHORT }
    const inside = open.at(-1)
    if (next === "colon") {
      if (sign !== ":") return { at, why: "A colon is missing here" }
      next = "value"
      at++
    } else if (next === "end") {
      if (inside === undefined) return { at, why: MORE }
      if (sign === ",") next = inside === "{" ? "key" : "value"
      else if (sign === (inside === "{" ? "}" : "]")) open.pop()
      else return { at, why: "A comma is missing here" }
      at++
    } else if ((next === "first key" && sign === "}") || (next === "first value" && sign === "]")) {
      open.pop()
      next = "end"
      at++
    } else if ((next === "value" || next === "first value") && (sign === "{" || sign === "[")) {
      open.push(sign)
      next = sign === "{" ? "first key" : "first value"
      at++
    } else {
      const isKey: boolean = next === "key" || next === "first key"
      SCALAR.lastIndex = at
      if ((isKey && sign !== "\"") || !SCALAR.test(text)) {
        return { at, why: isKey ? "A name in double quotes is missing here" : sign === "\"" ? "This text is not closed, or has a sign in it that it may not have" : "A value is missing here" }
      }
      at = SCALAR.lastIndex
      next = isKey ? "colon" : "end"
    }
  }
}

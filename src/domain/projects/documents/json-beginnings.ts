/** Whether a text is JSON, or the beginning of JSON. */

/** The remains of a value or a member that was cut off anywhere. */
const CUT_MEMBER = /^,?\s*(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)\s*(?::\s*)?)?(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?[\d.eE+-]*|[a-z]{0,5})$/

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether a text is JSON that was cut off: up to its last structural character, with open brackets closed, it must parse. */
export const beginsAsJson = (text: string): boolean => {
  const open: Array<string> = []
  let end = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|[,[\]{}]/g)) {
    if (sign.startsWith("\"")) continue
    if (end > 0 && open.length === 0) return false
    end = sign === "," ? index : index + 1
    if (sign === "[" || sign === "{") open.push(sign === "[" ? "]" : "}")
    else if (sign !== "," && open.pop() !== sign) return false
  }
  return open.length > 0 && CUT_MEMBER.test(text.slice(end).trimEnd()) && isJson(text.slice(0, end) + open.toReversed().join(""))
}

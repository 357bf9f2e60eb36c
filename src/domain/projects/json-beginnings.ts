/** Whether a text is JSON, all of it or as far as it goes. */

/** What may be left of a value or a member, cut anywhere. */
const CUT_MEMBER = /^,?\s*(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)\s*(?::\s*)?)?(?:"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?[\d.eE+-]*|[a-z]{0,5})$/

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether it is JSON but for its end: up to its last sign outside of a string, with what is open closed, it is whole. */
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

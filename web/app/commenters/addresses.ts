/** Addresses as people type them or copy them from a mail, where names may stand beside them: `Dana Diaz <dana@northwind.example>`. */
export const addressesIn = (text: string): ReadonlyArray<string> => {
  const words = text.split(/[\s,;]+/).filter((one) => one !== "")
  return text.includes("<") ? words.filter((one) => one.includes("@")).map((one) => one.replaceAll(/[<>]/g, "")) : words
}

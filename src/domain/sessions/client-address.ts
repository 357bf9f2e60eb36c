/** The address that rate limits count by: IPv4 in full, IPv6 by its /64, since one customer has at least that much. */
export const clientAddress = (ip: string): string => {
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(ip)?.slice(1).map((group) => Number.parseInt(group, 16))
  if (mapped !== undefined) return mapped.flatMap((group) => [group >> 8, group & 255]).join(".")
  const plain = ip.startsWith("::ffff:") && ip.includes(".") ? ip.slice(7) : ip
  if (!plain.includes(":")) return plain
  const [head = "", tail = ""] = plain.split("%")[0]!.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === "" ? [] : tail.split(":")
  const zeros = plain.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right]
  return `${groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`
}

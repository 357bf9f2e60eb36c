/** The address that rate limits count by: IPv4 in full, IPv6 by its /64, since one customer has at least that much. */

/** What stands before an IPv4 address: mapped (RFC 4291 §2.5.5.2), and as translators in front of IPv6 servers write it (RFC 6052 §2.1). */
const BEFORE_IPV4: ReadonlySet<string> = new Set(["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"])

const written = (groups: ReadonlyArray<number>): string => groups.map((group) => group.toString(16)).join(":")

const groupsIn = (part: string): ReadonlyArray<number> =>
  part.split(":").filter((group) => group !== "").flatMap((group) => {
    const [a, b, c, d] = group.split(".").map(Number)
    return d === undefined ? [Number.parseInt(group, 16)] : [a! << 8 | b!, c! << 8 | d]
  })

/** What one customer may have many addresses of: the first three bytes of IPv4, the /48 of IPv6. Of an address as limits count it. */
export const networkOf = (address: string): string =>
  address.includes(":") ? address.split(":").slice(0, 3).join(":") : address.split(".").slice(0, 3).join(".")

export const clientAddress = (ip: string): string => {
  if (!ip.includes(":")) return ip
  const [head = "", tail = ""] = ip.split("%", 1)[0]!.split("::")
  const [left, right] = [groupsIn(head), groupsIn(tail)]
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0), ...right]
  return BEFORE_IPV4.has(written(groups.slice(0, 6)))
    ? groups.slice(6).flatMap((group) => [group >> 8, group & 255]).join(".")
    : `${written(groups.slice(0, 4))}::/64`
}

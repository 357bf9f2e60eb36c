/** Which IP addresses belong to the open internet; nothing else is connected to on a client's behalf (CONTRACT §4). */
import { BlockList, isIP } from "node:net"

const special = new BlockList()

// IANA's special-purpose registry, IPv4: this network, private, CGNAT, loopback, link-local (metadata services),
// protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved, broadcast.
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const) special.addSubnet(network, prefix, "ipv4")

// IPv6 is judged the other way round: only global unicast, 2000::/3, is open, without the parts reserved for something else
// (protocol assignments with Teredo, documentation, 6to4). Mapped, NAT64, unique local, link-local, loopback and multicast
// addresses lie outside.
const unicast = new BlockList()
unicast.addSubnet("2000::", 3, "ipv6")
for (const [network, prefix] of [["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20]] as const) {
  special.addSubnet(network, prefix, "ipv6")
}

/** False also for anything that is not a plain IP address. */
export const isGlobalAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4")
    case 6:
      return !address.includes("%") && unicast.check(address, "ipv6") && !special.check(address, "ipv6")
    default:
      return false
  }
}

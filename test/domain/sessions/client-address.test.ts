/** The client address by which limits count. */
import { assert, it } from "@effect/vitest"
import { clientAddress, networkOf } from "../../../src/domain/sessions/client-address.ts"

it("counts IPv4 whole, mapped, translated or neither, and IPv6 by its /64", () => {
  const cases: ReadonlyArray<readonly [given: string, counted: string]> = [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:C000:207", "192.0.2.7"],
    ["::ffff:0102:0304", "1.2.3.4"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["0000:0000:0000:0000:0000:FFFF:C000:0207", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "192.0.2.7"],
    ["64:ff9b::c000:207", "192.0.2.7"],
    ["64:ff9b:1::c000:207", "64:ff9b:1:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["unknown", "unknown"]
  ]
  for (const [given, counted] of cases) assert.strictEqual(clientAddress(given), counted, given)
})

it("a network is what one customer may have many addresses of", () => {
  const cases: ReadonlyArray<readonly [ip: string, network: string]> = [
    ["192.0.2.7", "192.0.2"],
    ["::ffff:192.0.2.7", "192.0.2"],
    ["2001:db8:1:2::1", "2001:db8:1"],
    ["2001:db8:1:ffff::1", "2001:db8:1"],
    ["unknown", "unknown"]
  ]
  for (const [ip, network] of cases) assert.strictEqual(networkOf(clientAddress(ip)), network, ip)
})

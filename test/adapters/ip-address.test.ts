import { isIP } from "node:net"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readIpAddress } from "../../src/adapters/http/client/ip-address.js"

describe("an IP address", () => {
  test.each([
    ["0.0.0.0", 4, 0n],
    ["192.168.1.255", 4, 0xc0a801ffn],
    ["::", 6, 0n],
    ["::1", 6, 1n],
    ["1::", 6, 1n << 112n],
    ["fe80::1%eth0", 6, (0xfe80n << 112n) | 1n],
    ["::ffff:10.0.0.1", 6, 0xffff0a000001n],
    ["1:2:3:4:5:6:7:8", 6, 0x00010002000300040005000600070008n],
  ] as const)("%s is read as a number", (text, family, value) => {
    expect(readIpAddress(text)).toEqual({ family, value })
  })

  test("a text is read as an IP address if and only if Node accepts it", () => {
    const separator = fc.constantFrom(":", "::", ".", "")
    const part = fc.oneof(
      fc.nat(300).map(String),
      fc.nat(70_000).map((value) => value.toString(16)),
      fc.constantFrom("", "01", "g", "1.2.3.4"),
    )
    const mixed = fc
      .array(fc.tuple(part, separator), { maxLength: 9 })
      .map((parts) => parts.flat().join(""))
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), mixed), (text) => {
        expect(readIpAddress(text)?.family ?? 0, text).toBe(isIP(text))
      }),
    )
  })
})

import { lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"

/**
 * IPv4 address ranges that are not public, from the special-purpose registry of IANA: private,
 * loopback, link-local (cloud metadata), test, multicast and reserved.
 */
const specialV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Metadata service of a cloud provider. It uses a public address.
  "168.63.129.16/32",
]

/**
 * IPv6 address ranges that are not public: ranges outside of 2000::/3, and ranges inside of it that
 * contain IPv4 addresses or are unassigned.
 */
const specialV6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]

// Each family has its own list. A shared list would compare IPv4 addresses with IPv6 ranges.
const special = { 4: blockList("ipv4", specialV4), 6: blockList("ipv6", specialV6) }

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/**
 * Returns whether an IP address is public. Returns false for local, private and other special
 * addresses.
 */
export function isPublicAddress(address: string): boolean {
  const [bare = ""] = address.split("%")
  const family = isIP(bare)
  if (family === 4) return !special[4].check(bare, "ipv4")
  return family === 6 && !special[6].check(bare, "ipv6")
}

/**
 * The error of a connection to an address that is not public. `code` has the format of socket error
 * codes.
 */
class AddressNotPublic extends Error {
  override readonly name = "AddressNotPublic"
  readonly code = "ADDRESS_NOT_PUBLIC"

  constructor() {
    super("the host name resolves to an address that is not public")
  }
}

/**
 * Returns a lookup function that resolves a host name to its public addresses only. The socket
 * connects to exactly these addresses, so DNS rebinding cannot bypass the check.
 */
export function publicLookup(resolve: LookupFunction = lookup): LookupFunction {
  return (name, options, callback) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 0)
      // The result is an array if the caller has set `all`.
      const addresses = Array.isArray(found) ? found : []
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new AddressNotPublic(), "", 0)
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family)
    })
}

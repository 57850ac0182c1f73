import { lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"

/**
 * IPv4 special-purpose ranges of the IANA registry: private, loopback, link-local (cloud metadata),
 * test, multicast and reserved.
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
  // Metadata service of one cloud provider, which uses a public address.
  "168.63.129.16/32",
]

/**
 * IPv6 ranges outside 2000::/3, and the ranges inside it that map to IPv4 addresses or are
 * unassigned.
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

// One list per family, because a list treats an IPv4 address as its mapped IPv6 address.
const special = { 4: blockList("ipv4", specialV4), 6: blockList("ipv6", specialV6) }

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/** Returns whether an IP address is public: not local, private or otherwise special. */
export function isPublicAddress(address: string): boolean {
  const [bare = ""] = address.split("%")
  const family = isIP(bare)
  if (family === 4) return !special[4].check(bare, "ipv4")
  return family === 6 && !special[6].check(bare, "ipv6")
}

/**
 * Rejects a connection to an address that is not public. `code` follows the convention of socket
 * errors.
 */
class AddressNotPublic extends Error {
  override readonly name = "AddressNotPublic"
  readonly code = "ADDRESS_NOT_PUBLIC"

  constructor() {
    super("the host name resolves to an address that is not public")
  }
}

/**
 * Resolves a name for a socket and returns only public addresses. The socket connects to exactly
 * these addresses, so DNS rebinding has no effect.
 */
export function publicLookup(resolve: LookupFunction = lookup): LookupFunction {
  return (name, options, callback) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 0)
      // With `all`, the result is a list.
      const addresses = Array.isArray(found) ? found : []
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new AddressNotPublic(), "", 0)
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family)
    })
}

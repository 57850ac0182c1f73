import { lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"

/** Of IANA's registries of special purpose addresses: this network, private ones, loopback, link-local (metadata services are there), tests, multicast, reserved. */
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
  // The metadata service of one cloud has an address that is public by its number.
  "168.63.129.16/32",
]

/** All but 2000::/3, in which hosts of the internet are; and of that what leads on to an IPv4 address or to nobody. */
const specialV6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]

// One list for each family: a list counts an IPv4 address as the IPv6 address that it is mapped to.
const special = { 4: blockList("ipv4", specialV4), 6: blockList("ipv6", specialV6) }

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/** Whether an IP address is one of the internet, not of this machine or of a network around it. */
export function isPublicAddress(address: string): boolean {
  const [bare = ""] = address.split("%")
  const family = isIP(bare)
  if (family === 4) return !special[4].check(bare, "ipv4")
  return family === 6 && !special[6].check(bare, "ipv6")
}

/** What a connection is refused with; `code` is what errors of sockets have. */
class AddressNotPublic extends Error {
  override readonly name = "AddressNotPublic"
  readonly code = "ADDRESS_NOT_PUBLIC"

  constructor() {
    super("the host name resolves to an address that is not public")
  }
}

/**
 * Looks a name up for a socket and gives it public addresses only. The socket connects to these very addresses, so a name that
 * means another address a moment later gains nothing.
 */
export function publicLookup(resolve: LookupFunction = lookup): LookupFunction {
  return (name, options, callback) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 0)
      // With `all` it is a list.
      const addresses = Array.isArray(found) ? found : []
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new AddressNotPublic(), "", 0)
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family)
    })
}

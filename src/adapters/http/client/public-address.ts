import { type IpAddress, readIpAddress } from "./ip-address.js"

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
 * IPv6 address ranges that are not public: ranges outside 2000::/3, and ranges inside it that
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

interface Subnet extends IpAddress {
  /**
   * Number of bits at the end of an address that identify the host within the network. For example,
   * 8 in 10.0.0.0/24.
   */
  readonly hostBits: bigint
}

function readSubnet(subnet: string): Subnet {
  const [network = "", bits] = subnet.split("/")
  const address = readIpAddress(network)
  if (address === null) throw new TypeError(`${subnet} is not a subnet such as 10.0.0.0/8`)
  return { ...address, hostBits: BigInt(address.family === 4 ? 32 : 128) - BigInt(bits ?? 0) }
}

const special = [...specialV4, ...specialV6].map(readSubnet)

/**
 * Returns whether an IP address is public. Returns false for local, private and other special
 * addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = readIpAddress(text)
  return (
    address !== null &&
    !special.some(
      ({ family, value, hostBits }) =>
        family === address.family && value >> hostBits === address.value >> hostBits,
    )
  )
}

import { lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isPublicAddress } from "./public-address.js"

/**
 * The error for a host name that resolves to an address that is not public, or to no address.
 * `code` has the format of Node's socket error codes.
 */
class AddressNotPublic extends Error {
  override readonly name = "AddressNotPublic"
  readonly code = "ADDRESS_NOT_PUBLIC"

  constructor() {
    super("the host name resolves to an address that is not public")
  }
}

/**
 * Returns a replacement for `dns.lookup` that resolves a host name only if all of its addresses are
 * public. The socket connects to exactly these addresses, so DNS rebinding cannot bypass the check.
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

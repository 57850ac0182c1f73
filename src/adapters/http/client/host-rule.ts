import { isIP } from "node:net"
import { AgentStatechartsError } from "../../../errors.js"
import { isPublicAddress } from "./public-address.js"

/**
 * Restricts the hosts that URL templates may address. Hosts written out in the config are not
 * restricted.
 */
export interface HostRuleOptions {
  /**
   * Whether templates may set the scheme and host. Default false, or true if `allowedHosts` is set.
   * Otherwise the author of the state could choose who receives secrets.
   */
  readonly allowTemplateHosts?: boolean
  /**
   * Hosts that templates may address: `api.example.com`, `*.example.com` (sub-domains only),
   * `[2001:db8::1]`. Without a port, only the default
   * ports of http and https are allowed (`api.example.com:8443`, `:*` for any). A leading `https://` rejects http. Default: all public
   * hosts.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * Whether templates may address localhost and private networks. Default false. An IP address in
   * `allowedHosts` is allowed as well.
   */
  readonly allowPrivateAddresses?: boolean
}

export interface HostRule {
  readonly mayDecide: boolean
  /** Returns null if a template may address the host, otherwise the reason why not. */
  refusal(url: URL): string | null
  /** Returns whether a socket may connect only to public addresses for a URL from a template. */
  publicOnly(url: URL): boolean
}

/**
 * Creates a host rule.
 *
 * @throws AgentStatechartsError `host_refused` if an entry of `allowedHosts` is invalid.
 */
export function createHostRule({
  allowedHosts,
  allowPrivateAddresses = false,
  allowTemplateHosts = allowedHosts !== undefined,
}: HostRuleOptions): HostRule {
  const patterns = allowedHosts?.map(readPattern)
  const isNamed = (url: URL): boolean => patterns?.some((matches) => matches(url)) ?? false
  const publicOnly = (url: URL): boolean =>
    !allowPrivateAddresses && !(isIP(bareHost(url)) !== 0 && isNamed(url))
  return {
    mayDecide: allowTemplateHosts,
    publicOnly,
    refusal(url) {
      if (patterns !== undefined && !isNamed(url))
        return "is not one of the hosts that templates may use (allowedHosts)"
      if (!publicOnly(url) || !isNotPublic(bareHost(url))) return null
      return notPublic
    },
  }
}

/**
 * The message omits the address, because tools report errors to the model, which must not learn
 * internal addresses.
 */
export const notPublic =
  "is localhost or in a private network, which templates may not use (allowPrivateAddresses)"

/** Checks the literal address only. Host names are resolved when a socket connects. */
const isNotPublic = (host: string): boolean =>
  isIP(host) === 0 ? /^(?:.+\.)?localhost$/.test(host) : !isPublicAddress(host)

/**
 * Removes the IPv6 brackets and a trailing dot. The URL parser has already normalized the spelling
 * of addresses.
 */
const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

function readPattern(pattern: string): (url: URL) => boolean {
  const [, scheme, wildcard, host = "", port] =
    /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[^\s/?#@:*[\]]+)(?::(\d+|\*))?$/i.exec(pattern) ?? []
  const name = URL.canParse(`http://${host}`) ? bareHost(new URL(`http://${host}`)) : ""
  if (name === "" || (wildcard !== undefined && isIP(name) !== 0)) {
    throw new AgentStatechartsError(
      "host_refused",
      `"${pattern}" is not a valid host pattern. Write a host such as api.example.com or *.example.com, or add a port: api.example.com:8443.`,
    )
  }
  return (url) => {
    const asked = bareHost(url)
    if (scheme !== undefined && url.protocol !== `${scheme.toLowerCase()}:`) return false
    if (
      port !== "*" &&
      (url.port || defaultPorts[url.protocol]) !== (port ?? defaultPorts[url.protocol])
    )
      return false
    return wildcard === undefined ? asked === name : asked.endsWith(`.${name}`)
  }
}

import { AgentStatechartsError } from "../../../errors.js"
import { readIpAddress } from "./ip-address.js"
import { isPublicAddress } from "./public-address.js"

/**
 * Options that restrict which hosts the templates in a URL may produce, for example `https://{{
 * state.host }}/`. A host that is written literally in the workflow config is not restricted.
 */
export interface HostRuleOptions {
  /**
   * Whether a template may determine the scheme and the host of a URL. If this is true, anyone who
   * can change the session state can choose which host receives secrets. Default: false, or true if
   * `allowedHosts` is set.
   */
  readonly allowTemplateHosts?: boolean
  /**
   * Hosts that templates may produce, for example `api.example.com`, `*.example.com` (subdomains
   * only) or `[2001:db8::1]`. An entry without a port allows only the default ports of http and
   * https. To allow another port, add it (`api.example.com:8443`). To allow every port, add `:*`.
   * An entry that starts with `https://` does not allow http. Default: all public hosts.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * Whether templates may produce localhost and addresses in private networks. An IP address in
   * `allowedHosts` is always allowed. Default: false.
   */
  readonly allowPrivateAddresses?: boolean
}

export interface HostRule {
  readonly mayDecide: boolean
  /**
   * Returns the reason why a URL with a host from a template must not be called, as text for an
   * error message. Returns null if the host is allowed.
   */
  refusal(url: URL): string | null
  /** Returns whether requests to this URL may connect only to public IP addresses. */
  publicOnly(url: URL): boolean
}

/**
 * Creates a rule that decides which hosts templates in a URL may produce.
 *
 * @throws AgentStatechartsError `host_refused` if an entry of `allowedHosts` is invalid
 */
export function createHostRule({
  allowedHosts,
  allowPrivateAddresses = false,
  allowTemplateHosts = allowedHosts !== undefined,
}: HostRuleOptions): HostRule {
  const patterns = allowedHosts?.map(readPattern)
  const isNamed = (url: URL): boolean => patterns?.some((matches) => matches(url)) ?? false
  const publicOnly = (url: URL): boolean =>
    !allowPrivateAddresses && !(isIpAddress(bareHost(url)) && isNamed(url))
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
 * Error text for a host with an IP address that is not public. It does not contain the address,
 * because models see the errors of tools and must not learn internal addresses.
 */
export const notPublic =
  "is localhost or in a private network, which templates may not use (allowPrivateAddresses)"

/**
 * Returns whether a host is localhost or an IP address that is not public. Returns false for other
 * host names, whose addresses are checked when a socket connects.
 */
const isNotPublic = (host: string): boolean =>
  isIpAddress(host) ? !isPublicAddress(host) : /^(?:.+\.)?localhost$/.test(host)

const isIpAddress = (host: string): boolean => readIpAddress(host) !== null

/**
 * Returns the host name of a URL without IPv6 brackets and without a trailing dot. The `URL` class
 * has already normalized IP addresses.
 */
const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

function readPattern(pattern: string): (url: URL) => boolean {
  const [, scheme, wildcard, host = "", port] =
    /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[^\s/?#@:*[\]]+)(?::(\d+|\*))?$/i.exec(pattern) ?? []
  const name = URL.canParse(`http://${host}`) ? bareHost(new URL(`http://${host}`)) : ""
  if (name === "" || (wildcard !== undefined && isIpAddress(name))) {
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

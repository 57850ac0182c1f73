import { isIP } from "node:net"
import { AgentStatechartsError } from "../../errors.js"
import { isPublicAddress } from "./public-address.js"

/** Which hosts templates may lead to. What the config writes out is not asked about: whoever wrote it may call what they like. */
export interface HostRuleOptions {
  /** Lets templates decide scheme and host. Default false, or true where `allowedHosts` is given: else whoever writes the state chooses who is sent secrets. */
  readonly allowTemplateHosts?: boolean
  /**
   * The hosts that templates may decide on: `api.example.com`, `*.example.com` (whatever ends so, not the name itself), `[2001:db8::1]`. Ports
   * are those of http and https unless written (`api.example.com:8443`, `:*` for any); `https://` before it refuses http. Default: all.
   */
  readonly allowedHosts?: readonly string[]
  /** Lets templates lead to this machine and to private networks. Default false; an IP address that stands in `allowedHosts` is allowed by that. */
  readonly allowPrivateAddresses?: boolean
}

export interface HostRule {
  readonly mayDecide: boolean
  /** null where a template may lead there, else why not, to be said of the host. */
  refusal(url: URL): string | null
  /** Whether a socket may connect to public addresses only, when this URL came from a template. */
  publicOnly(url: URL): boolean
}

/** @throws AgentStatechartsError `host_refused` where an allowed host is none. */
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

/** Without the address: tools tell the model what went wrong, and it need not learn which addresses there are. */
export const notPublic =
  "is localhost or in a private network, which templates may not use (allowPrivateAddresses)"

/** By what is written: names are looked up when a socket connects. */
const isNotPublic = (host: string): boolean =>
  isIP(host) === 0 ? /^(?:.+\.)?localhost$/.test(host) : !isPublicAddress(host)

/** Without the brackets of IPv6 and the dot that may end a name. URLs have written all ways of spelling an address as one. */
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

import { type FilledPart, textOfPart } from "../../../template/fill/fill-template.js"
import { EndpointRefused } from "./endpoint-refused.js"
import type { HostRule } from "../client/host-rule.js"

export interface FilledUrl {
  readonly url: URL
  /** The URL for error messages. Secrets are replaced with `[secret NAME]`. */
  readonly shown: string
  /** Whether a template has produced a part of the URL's scheme or host. */
  readonly hostIsFilled: boolean
}

/**
 * Builds a URL from a URL template with filled expressions. Template values are percent-encoded, so
 * that they stay inside their path segment or query value. They must not form the path segments `.`
 * or `..`. A template in the scheme or the host is allowed only if `rule` permits it. In this case,
 * a template at the start may produce a whole base URL, whose host is checked with `rule`.
 */
export function fillUrl(parts: readonly FilledPart[], rule: HostRule): FilledUrl {
  const hostEnd = endOfHost(parts)
  let url = ""
  let shown = ""
  // The URL with a placeholder for each template. It shows which host the config itself names.
  let inert = ""
  let offset = 0
  let filledHost = false
  for (const part of parts) {
    if (part.type === "text") {
      url += part.text
      shown += part.text
      inert += part.text
      offset += part.text.length
      continue
    }
    const inHost = offset < hostEnd.offset && offset >= hostEnd.userEnd
    if (inHost && !rule.mayDecide) throw hostRefused(part.expression.source)
    filledHost ||= inHost
    const text = inHost ? textOfPart(part) : encoded(textOfPart(part))
    url += text
    inert += "x"
    shown += part.secrets.length > 0 ? secretLabel(part.secrets) : text
    offset += 1
  }
  refuseDotSegments(parts, hostEnd.offset)
  const parsed = parseUrl(url, shown)
  const hostIsFilled = filledHost || parseUrl(inert, shown).origin !== parsed.origin
  if (!hostIsFilled) return { url: parsed, shown: withoutPassword(shown), hostIsFilled }
  if (!rule.mayDecide) throw hostRefused(shown)
  const refusal = rule.refusal(parsed)
  if (refusal !== null)
    throw new EndpointRefused("host_refused", "url", `"${withoutPassword(shown)}" ${refusal}`)
  return { url: parsed, shown: withoutPassword(shown), hostIsFilled }
}

export const secretLabel = (names: readonly string[]): string => `[secret ${names.join(", ")}]`

/**
 * Returns the offset in a URL at which the credentials end (`userEnd`) and the offset at which the
 * host ends (`offset`). Each template in the URL counts as one character.
 */
function endOfHost(parts: readonly FilledPart[]): {
  readonly offset: number
  readonly userEnd: number
} {
  const outline = outlineOf(parts)
  const match = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)/i.exec(outline)
  if (match === null)
    return { offset: /[/?#\\]/.exec(outline)?.index ?? outline.length + 1, userEnd: 0 }
  const offset = match[0].length
  const user = (match[1] ?? "").lastIndexOf("@")
  return { offset, userEnd: user === -1 ? 0 : offset - (match[1] ?? "").length + user }
}

/**
 * A placeholder character that replaces each template while the structure of a URL is parsed. The
 * character cannot occur in a URL.
 */
const templateMark = "\uFFFC"

const outlineOf = (parts: readonly FilledPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : templateMark)).join("")

/**
 * Throws if a template produces a path segment `.` or `..`, alone or together with the text around
 * it. Such a segment changes the path of the URL, even if it is percent-encoded.
 */
function refuseDotSegments(parts: readonly FilledPart[], pathStart: number): void {
  let offset = 0
  let segment = ""
  let filledBy: string | null = null
  const close = (): void => {
    const plain = segment.replace(/%2e/gi, ".")
    if (filledBy !== null && (plain === "." || plain === "..")) {
      throw new EndpointRefused(
        "template_failed",
        "url",
        `{{ ${filledBy} }} sets a path segment to "${plain}", which would change the path`,
      )
    }
    segment = ""
    filledBy = null
  }
  for (const part of parts) {
    if (part.type === "value") {
      if (offset >= pathStart) {
        segment += encoded(textOfPart(part))
        filledBy = part.expression.source
      }
      offset += 1
      continue
    }
    for (const char of part.text) {
      if (char === "?" || char === "#") return close()
      if (char === "/" || char === "\\") close()
      else segment += char
      offset += char.length
    }
  }
  close()
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function parseUrl(text: string, shown: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new EndpointRefused("template_failed", "url", `"${shown}" is not a URL`)
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EndpointRefused(
      "host_refused",
      "url",
      `"${shown}" has the scheme "${url.protocol}"; use http or https`,
    )
  }
  return url
}

const withoutPassword = (shown: string): string => shown.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1")

const hostRefused = (source: string): EndpointRefused =>
  new EndpointRefused(
    "host_refused",
    "url",
    `{{ ${source} }} would set the scheme or the host of the call; write the scheme and the host themselves, or allow the host with allowedHosts`,
  )

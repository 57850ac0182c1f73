import { type FilledPart, textOfPart } from "../../../template/fill/fill-template.js"
import { EndpointRefused } from "./endpoint-refused.js"
import type { HostRule } from "../client/host-rule.js"

export interface FilledUrl {
  readonly url: URL
  /** The URL for messages, with secrets replaced by `[secret NAME]`. */
  readonly shown: string
  /** Whether a template contributes to the scheme or the host. */
  readonly hostIsFilled: boolean
}

/**
 * Builds a URL. Template values are percent-encoded, so that they stay within their path segment or
 * query value, and they may not form dot segments. In the scheme or host a template is allowed only
 * if the host rule permits it. A template at the start may then hold a whole base URL, and the rule
 * checks the resulting host.
 */
export function fillUrl(parts: readonly FilledPart[], rule: HostRule): FilledUrl {
  const hostEnd = endOfHost(parts)
  let url = ""
  let shown = ""
  // Placeholder for templates, to find the host that the config itself names.
  let inert = ""
  let place = 0
  let filledHost = false
  for (const part of parts) {
    if (part.type === "text") {
      url += part.text
      shown += part.text
      inert += part.text
      place += part.text.length
      continue
    }
    const inHost = place < hostEnd.at && place >= hostEnd.userEnd
    if (inHost && !rule.mayDecide) throw hostRefused(part.expression.source)
    filledHost ||= inHost
    const text = inHost ? textOfPart(part) : encoded(textOfPart(part))
    url += text
    inert += "x"
    shown += part.secrets.length > 0 ? secretLabel(part.secrets) : text
    place += 1
  }
  refuseDotSegments(parts, hostEnd.at)
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
 * Returns the positions, with each template counted as one character, where the scheme, the
 * credentials and the authority end.
 */
function endOfHost(parts: readonly FilledPart[]): {
  readonly at: number
  readonly userEnd: number
} {
  const outline = outlineOf(parts)
  const match = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)/i.exec(outline)
  if (match === null)
    return { at: /[/?#\\]/.exec(outline)?.index ?? outline.length + 1, userEnd: 0 }
  const at = match[0].length
  const user = (match[1] ?? "").lastIndexOf("@")
  return { at, userEnd: user === -1 ? 0 : at - (match[1] ?? "").length + user }
}

/** Marks templates. No URL contains this character. */
const templateMark = "\uFFFC"

const outlineOf = (parts: readonly FilledPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : templateMark)).join("")

/**
 * Rejects a dot segment that a template contributes to, because `..` has its effect even if it is
 * percent-encoded.
 */
function refuseDotSegments(parts: readonly FilledPart[], pathStart: number): void {
  let place = 0
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
      if (place >= pathStart) {
        segment += encoded(textOfPart(part))
        filledBy = part.expression.source
      }
      place += 1
      continue
    }
    for (const char of part.text) {
      if (char === "?" || char === "#") return close()
      if (char === "/" || char === "\\") close()
      else segment += char
      place += char.length
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

import { EndpointRefused } from "./endpoint-refused.js"

/**
 * Headers that a workflow config must not set, because the HTTP client sets them. They control the
 * connection and the transfer of the body. With a wrong value, the client and the server could
 * disagree about the position at which the request ends.
 */
const framing = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/**
 * Validates the name and the value of a request header after the templates in the value were
 * filled. The value may come from an untrusted source. Returns the name in lower case and the
 * value. Throws `EndpointRefused` if the name or the value is invalid.
 */
export function checkedHeader(name: string, value: string): readonly [string, string] {
  const field = `headers.${name}`
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw new EndpointRefused("header_refused", field, "this is not a header name")
  if (framing.has(name.toLowerCase()))
    throw new EndpointRefused(
      "header_refused",
      field,
      "the HTTP client sets this header; remove it",
    )
  if (/[\r\n]/.test(value))
    throw new EndpointRefused(
      "header_refused",
      field,
      "the value contains a line break, which could inject headers; remove it",
    )
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new EndpointRefused(
      "header_refused",
      field,
      "the value contains characters that are not allowed in headers; use $encodeUrlComponent or $base64encode",
    )
  }
  return [name.toLowerCase(), value]
}

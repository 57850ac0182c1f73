import { maxDataDepth, isDeeperThan } from "../../../machines/data/nesting.js"

/**
 * The result of parsing JSON from an untrusted source, or the reason why the text was rejected. If
 * the JSON contains a key `__proto__`, the key is an ordinary property of `value`.
 */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

export function readJson(text: string): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: text.trim() === "" ? "an empty body" : "text that is not JSON" }
  }
  return isDeeperThan(maxDataDepth, value)
    ? { ok: false, reason: `JSON that is nested deeper than ${maxDataDepth} levels` }
    : { ok: true, value }
}

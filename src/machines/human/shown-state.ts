import type { PendingRequest } from "../contract/pending-request.js"
import type { SessionState } from "../data/session-state.js"
import { hasKey, isHiddenKey, readKey } from "../data/session-state.js"

/**
 * Maximum total length, in characters of JSON, of the state values that a request shows to a
 * person.
 */
const maxLength = 100_000

/**
 * Returns copies of the state values that a request shows to a person, by state key. Keys without a
 * value are ignored. If the values together are too large, the largest values are omitted, and
 * `omittedKeys` lists their keys.
 */
export function shownState(
  keys: readonly string[],
  state: SessionState,
): Pick<PendingRequest, "shown" | "omittedKeys"> {
  const entries = [...new Set(keys)]
    .filter((key) => !isHiddenKey(key) && hasKey(state, key))
    .map((key) => ({ key, text: JSON.stringify(readKey(state, key) ?? null) }))
  const omitted = new Set<string>()
  let length = entries.reduce((sum, { text }) => sum + text.length, 0)
  for (const { key, text } of entries.toSorted(
    (one, other) => other.text.length - one.text.length,
  )) {
    if (length <= maxLength) break
    omitted.add(key)
    length -= text.length
  }
  return {
    shown: Object.fromEntries(
      entries.flatMap(({ key, text }) =>
        omitted.has(key) ? [] : [[key, JSON.parse(text) as unknown]],
      ),
    ),
    ...(omitted.size > 0 && { omittedKeys: [...omitted] }),
  }
}

import { sameJson } from "./equal-json.js"

/**
 * A session state key whose value differs between two runs. `before` is the value in the first run,
 * and is missing if the first run does not have the key. `after` is the value in the second run,
 * and is missing if the second run does not have the key.
 */
export interface StateDifference {
  readonly key: string
  readonly before?: unknown
  readonly after?: unknown
}

type State = Readonly<Record<string, unknown>>

/** Compares two session states. Returns the keys whose values differ, in alphabetical order. */
export function compareStates(before: State, after: State): readonly StateDifference[] {
  const changed = Object.keys(before).filter(
    (key) => !Object.hasOwn(after, key) || !sameJson(before[key], after[key]),
  )
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  // Most states are equal, so only the keys with differences are sorted.
  return [...changed, ...added].sort().map((key) => ({
    key,
    ...(Object.hasOwn(before, key) && { before: before[key] }),
    ...(Object.hasOwn(after, key) && { after: after[key] }),
  }))
}

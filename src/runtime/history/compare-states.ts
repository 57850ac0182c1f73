import { sameJson } from "./equal-json.js"

/**
 * A state key whose value differs between two runs. If a run does not have the key, its field is
 * missing.
 */
export interface StateDifference {
  readonly key: string
  readonly before?: unknown
  readonly after?: unknown
}

type State = Readonly<Record<string, unknown>>

/** Returns the state keys whose values differ, in alphabetical order. */
export function compareStates(before: State, after: State): readonly StateDifference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.flatMap((key) => {
    const [had, has] = [Object.hasOwn(before, key), Object.hasOwn(after, key)]
    if (had && has && sameJson(before[key], after[key])) return []
    return [{ key, ...(had ? { before: before[key] } : {}), ...(has ? { after: after[key] } : {}) }]
  })
}

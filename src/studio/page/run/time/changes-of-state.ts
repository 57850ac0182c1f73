import type { ForkRequest } from "../../../compare-api.js"

type State = Readonly<Record<string, unknown>>

/**
 * Returns the changes from the state `before` to the state `after` for a fork request. `state`
 * contains the changed values, and `remove` contains the removed keys.
 */
export function changesOfState(before: State, after: State): Pick<ForkRequest, "state" | "remove"> {
  const set = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  const remove = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return {
    ...(set.length > 0 && { state: Object.fromEntries(set) }),
    ...(remove.length > 0 && { remove }),
  }
}

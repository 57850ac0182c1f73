import type { RunEvent } from "../../../api.js"

/** The change of one key of the session state. The values are JSON; undefined means no value. */
export interface StateChange {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Returns the changes of each `state.changed` event, by the `seq` of the event. A parallel branch
 * sees its own values until it is joined.
 */
export function changesByEvent(
  events: readonly RunEvent[],
): ReadonlyMap<number, readonly StateChange[]> {
  /** The last value of each key, by branch and key. */
  const values = new Map<string, string>()
  const changes = new Map<number, readonly StateChange[]>()
  for (const event of events) {
    if (event.type !== "state.changed") continue
    const inBranch = (key: string): string => `${event.branch ?? ""} ${key}`
    const previous = (key: string): string | undefined =>
      values.get(inBranch(key)) ?? values.get(` ${key}`)
    const set = Object.entries(event.set).map(([key, value]): StateChange => ({
      key,
      before: previous(key),
      after: JSON.stringify(value),
    }))
    const removed = event.removed.map((key): StateChange => ({
      key,
      before: previous(key),
      after: undefined,
    }))
    for (const { key, after } of [...set, ...removed]) {
      if (after === undefined) values.delete(inBranch(key))
      else values.set(inBranch(key), after)
    }
    changes.set(event.seq, [...set, ...removed])
  }
  return changes
}

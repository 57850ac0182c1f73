import type { RunEvent } from "../../api.js"

/** One key of the session state: what it held before and what it holds now, as JSON; undefined where there was or is none. */
export interface Change {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What each `state.changed` changed, by its number. A branch has its own view of the state until it is joined: what it wrote is its own. */
export function changesOf(events: readonly RunEvent[]): ReadonlyMap<number, readonly Change[]> {
  const known = new Map<string, string>()
  const changes = new Map<number, readonly Change[]>()
  for (const event of events) {
    if (event.type !== "state.changed") continue
    const place = (key: string): string => `${event.branch ?? ""} ${key}`
    const seen = (key: string): string | undefined => known.get(place(key)) ?? known.get(` ${key}`)
    const set = Object.entries(event.set).map(([key, value]): Change => ({
      key,
      before: seen(key),
      after: JSON.stringify(value),
    }))
    const removed = event.removed.map((key): Change => ({
      key,
      before: seen(key),
      after: undefined,
    }))
    for (const { key, after } of [...set, ...removed]) {
      if (after === undefined) known.delete(place(key))
      else known.set(place(key), after)
    }
    changes.set(event.seq, [...set, ...removed])
  }
  return changes
}

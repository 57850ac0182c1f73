import type { StoredRun } from "../../runtime/journal/journal.js"
import { runAt } from "../../runtime/history/snapshot-at.js"
import type { StudioSnapshot } from "../api.js"

/**
 * Returns the snapshot of a run after `at` records, or, with `seen`, after that many events were
 * emitted.
 */
export function studioSnapshot(
  stored: StoredRun,
  position: { readonly at?: number; readonly seen?: number },
): StudioSnapshot {
  const at =
    position.at ??
    (position.seen === undefined ? stored.records.length : positionOf(stored, position.seen))
  const { events, record: _record, ...view } = runAt(stored, { at })
  return { ...view, seen: events.length }
}

/** Returns the smallest number of records after which at least `seen` events had been emitted. */
function positionOf(stored: StoredRun, seen: number): number {
  let [low, high] = [0, stored.records.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (runAt(stored, { at: middle }).events.length >= seen) high = middle
    else low = middle + 1
  }
  return low
}

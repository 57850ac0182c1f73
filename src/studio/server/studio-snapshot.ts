import type { AgentAt } from "../../runtime/history/agent-positions.js"
import type { CursorState } from "../../runtime/history/snapshot-at.js"
import { RunCursor } from "../../runtime/history/snapshot-at.js"
import type { StoredRun } from "../../runtime/journal/journal.js"
import type { AgentTurn, StudioSnapshot, TurnGroup } from "../api.js"
import { KeptReplays } from "./time/kept-replays.js"

/**
 * Identifies a turn of an agent after the first `at` journal records of a run. Turns whose paths
 * differ only in indexes form a group. `index` is the index of the turn in its group.
 */
interface TurnPosition {
  readonly at: number
  /**
   * Path that all turns of the group have in common, with `[*]` in place of each index, for example
   * `flow/block[*]/clerk`.
   */
  readonly group: string
  readonly index: number
}

/**
 * Creates snapshots of runs. The run's state at the latest snapshot stays in memory, because it
 * contains the conversations, which the page loads next.
 */
export class Snapshots {
  readonly #replays = new KeptReplays({
    start: (header) => new RunCursor(header, []),
    read: (cursor, _query: null) => cursor.read(),
  })
  #last: { readonly runId: string; readonly run: CursorState } | null = null

  /**
   * Returns the snapshot of a run after its first `at` records. With `seen`, returns the snapshot
   * after the first record at which the run had emitted at least `seen` events. Without a position,
   * returns the latest snapshot.
   */
  snapshot(
    stored: StoredRun,
    position: { readonly at?: number; readonly seen?: number },
  ): StudioSnapshot {
    const of = stored.records.length
    const recordPosition =
      position.at ??
      (position.seen === undefined ? of : this.#replays.positionOf(stored, position.seen))
    const run = this.#runAt(stored, recordPosition)
    const { time, result, inFlight, seen, agents } = run
    return { at: run.at, of, time, result, inFlight, seen, turns: groupsOf(agents) }
  }

  /** Returns a turn of a run with its conversation. Returns null if the run has no such turn. */
  async turn(
    runId: string,
    { at, group, index }: TurnPosition,
    load: () => Promise<StoredRun>,
  ): Promise<AgentTurn | null> {
    const last = this.#last?.runId === runId && this.#last.run.at === at ? this.#last.run : null
    const { agents } = last ?? this.#runAt(await load(), at)
    const turn = agents.filter(({ path }) => groupOf(path) === group)[index]
    if (turn === undefined) return null
    const { path, isActive, conversation } = turn
    return { path, isActive, conversation }
  }

  #runAt(stored: StoredRun, position: number): CursorState {
    const run = this.#replays.view(stored, position, null)
    this.#last = { runId: stored.header.runId, run }
    return run
  }
}

const groupOf = (path: string): string => path.replace(/\[\d+\]/g, "[*]")

function groupsOf(agents: readonly AgentAt[]): readonly TurnGroup[] {
  const groups = new Map<string, TurnGroup & { count: number; active: number }>()
  for (const { agent, path, isActive } of agents) {
    const common = groupOf(path)
    const group = groups.get(common) ?? { agent, path: common, count: 0, active: 0 }
    groups.set(common, group)
    group.count += 1
    if (isActive) group.active += 1
  }
  return [...groups.values()]
}

import type { RunEvent } from "../../../api.js"
import { dropOldest } from "./drop-oldest.js"
import type { LogEntry, LoggedCall } from "./run-log.js"

/**
 * A time range in which an agent was active without interruption, in milliseconds since the epoch.
 */
export interface LaneTurn {
  readonly start: number
  /** End of the range in milliseconds since the epoch. Null while the agent is active. */
  readonly end: number | null
  readonly isFailed: boolean
}

/** A call that the timeline shows. `entry` is the `seq` of the call's entry in the event list. */
export interface LaneCall {
  readonly entry: number
  readonly call: LoggedCall
}

/**
 * The lane of an agent, which is its row in the timeline of a run. All iterations of a loop share a
 * lane, but each branch of a parallel block has its own lane.
 */
export interface Lane {
  readonly key: string
  readonly agent: string
  readonly path: string
  readonly branch: string | null
  /**
   * Nesting depth of the lane. It is the number of containers around the agent that also have a
   * lane.
   */
  readonly depth: number
  /** The time ranges in which the agent was active, in order and without overlaps. */
  readonly turns: readonly LaneTurn[]
  /**
   * The calls of the agent in start order, divided into at most `maxRows` rows. Calls in the same
   * row do not overlap in time. If there are not enough rows, only the calls in the last row
   * overlap.
   */
  readonly rows: readonly (readonly LaneCall[])[]
}

/**
 * Maximum number of rows in a lane of the timeline. If more calls overlap in time, the last row
 * contains the rest.
 */
const maxRows = 6

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface BuiltLane extends Lane {
  readonly turns: Mutable<LaneTurn>[]
  readonly rows: LaneCall[][]
  children: BuiltLane[]
  active: number
}

/**
 * Arranges the turns and calls of a run in lanes, which are the rows of the timeline. Each event is
 * processed only once.
 */
export class Lanes {
  readonly #lanes = new Map<string, BuiltLane>()
  #roots: BuiltLane[] = []
  #ordered: readonly Lane[] | null = null
  #start: number | null = null
  #keptFrom: number | null = null
  #end = 0

  /**
   * Times of the first and the last event in milliseconds since the epoch. Null before the first
   * event.
   */
  get range(): { readonly start: number; readonly end: number } | null {
    return this.#start === null ? null : { start: this.#start, end: this.#end }
  }

  /**
   * Start of the stored time range, in milliseconds since the epoch. Turns and calls before this
   * time were dropped to save memory. Null if nothing was dropped.
   */
  get keptFrom(): number | null {
    return this.#keptFrom
  }

  /**
   * Drops the calls that begin before the event with the number `seq`, and the turns that ended
   * before the time `at`. Then drops the lanes (rows of the timeline) that have become empty.
   */
  dropBefore(seq: number, at: number): void {
    this.#keptFrom = at
    const withKept = (lanes: readonly BuiltLane[]): BuiltLane[] =>
      lanes.filter(({ key }) => this.#lanes.has(key))
    // Each lane is added after the lane that contains it, so the reverse order handles inner lanes
    // first.
    for (const lane of [...this.#lanes.values()].reverse()) {
      dropOldest(lane.turns, ({ end }) => end !== null && end < at)
      for (const row of lane.rows) dropOldest(row, ({ entry }) => entry < seq)
      lane.children = withKept(lane.children)
      const isUsed = lane.turns.length > 0 || lane.rows.some((row) => row.length > 0)
      if (!isUsed && lane.children.length === 0) this.#lanes.delete(lane.key)
    }
    this.#roots = withKept(this.#roots)
    this.#ordered = null
  }

  /**
   * All lanes of the timeline. Each lane is followed by the lanes that are nested in it. The list
   * is cached until lanes are added or dropped.
   */
  get all(): readonly Lane[] {
    this.#ordered ??= this.#roots.flatMap(withDescendants)
    return this.#ordered
  }

  /**
   * Adds the next event of the run to the timeline. `entry` is the entry of the event list that
   * contains the event.
   */
  apply(event: RunEvent, entry: LogEntry): void {
    this.#start ??= event.at
    this.#end = event.at
    if (event.type === "agent.started" || event.type === "node.started") {
      const lane = this.#laneOf(event)
      lane.active += 1
      if (lane.active === 1) lane.turns.push({ start: event.at, end: null, isFailed: false })
    } else if (event.type === "agent.finished" || event.type === "node.finished") {
      const isFailed =
        event.type === "agent.finished"
          ? event.outcome === "failed"
          : event.state === "executed_and_failed"
      this.#endTurn(this.#laneOf(event), event.at, isFailed)
    } else if (event.type === "run.finished") {
      for (const lane of this.#lanes.values()) {
        lane.active = Math.min(lane.active, 1)
        this.#endTurn(lane, event.at, false)
      }
    } else if (entry.call !== null && entry.events.length === 1)
      addCall(this.#laneOf(event).rows, { entry: entry.seq, call: entry.call })
  }

  #endTurn(lane: BuiltLane, end: number, isFailed: boolean): void {
    const turn = lane.turns.at(-1)
    if (lane.active === 0 || turn === undefined) return
    lane.active -= 1
    turn.isFailed ||= isFailed
    if (lane.active === 0) turn.end = end
  }

  #laneOf({ agent, path, branch }: RunEvent): BuiltLane {
    const key = laneKey(path, branch)
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    const parent = this.#parentOf(path, branch)
    const lane: BuiltLane = {
      key,
      agent,
      path,
      branch,
      depth: parent === null ? 0 : parent.depth + 1,
      turns: [],
      rows: [],
      children: [],
      active: 0,
    }
    this.#lanes.set(key, lane)
    ;(parent?.children ?? this.#roots).push(lane)
    this.#ordered = null
    return lane
  }

  /**
   * Returns the lane (row of the timeline) of the innermost container around the agent at `path`.
   * Containers without a lane are skipped. Returns null if no container has a lane.
   */
  #parentOf(path: string, branch: string | null): BuiltLane | null {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const around = path.slice(0, end).replace(/\[\d+\](?:~\d+)?$/, "")
      for (let outer = branch; ; outer = outerBranch(outer)) {
        const lane = this.#lanes.get(laneKey(around, outer))
        if (lane !== undefined) return lane
        if (outer === null) break
      }
    }
    return null
  }
}

/**
 * Returns the key of an agent's lane in the timeline. All iterations of a loop or cycle have the
 * same key, but parallel branches have different keys.
 */
const laneKey = (path: string, branch: string | null): string =>
  `${branch ?? ""} ${path.replace(/\[\d+\](?:~\d+)?|@\d+/g, "")}`

/**
 * Returns the parent of a branch of a parallel block. For example, the parent of `outer.0.inner.1`
 * is `outer.0`. Returns null if there is no parent.
 */
function outerBranch(branch: string | null): string | null {
  const outer = branch?.split(".").slice(0, -2).join(".") ?? ""
  return outer === "" ? null : outer
}

const withDescendants = (lane: BuiltLane): readonly BuiltLane[] => [
  lane,
  ...lane.children.flatMap(withDescendants),
]

/**
 * Adds a call to the first row whose last call ended before the new call started. If there is no
 * such row, adds a row. If the maximum number of rows is reached, uses the last row.
 */
function addCall(rows: LaneCall[][], added: LaneCall): void {
  const free = rows.find((row) => {
    const last = row.at(-1)
    if (last === undefined) return true
    const { end } = last.call
    return end !== null && end <= added.call.start
  })
  if (free !== undefined) free.push(added)
  else if (rows.length < maxRows) rows.push([added])
  else rows.at(-1)?.push(added)
}

import type { CallIdentity } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { LeafCall } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { JournalHeader, JournalRecord, StoredRun } from "../journal/journal.js"
import { checkedPosition } from "./check-position.js"
import type { AgentAt, MachineAt } from "./agent-positions.js"
import { agentAt, instancesOf, machinesAt } from "./agent-positions.js"
import type { PastRun } from "./execute-past.js"
import { pastRun } from "./replayed-run.js"

/** The state of a run after its first `at` records, as `runAt` returns it. */
export interface RunAt {
  /**
   * Number of records that were processed. The field `of` is the number of all records of the run.
   */
  readonly at: number
  readonly of: number
  /** The last processed record. null if no record was processed. */
  readonly record: JournalRecord | null
  /**
   * Time of the last processed record, or the start time of the run if no record was processed. In
   * milliseconds since the epoch.
   */
  readonly time: number
  /**
   * Result of the run at this position. If the run was still in progress, `text` and `state`
   * contain the finished work so far.
   */
  readonly result: RunResult
  readonly machines: readonly MachineAt[]
  /** The last turn of each LlmAgent that has started, in the order in which the agents started. */
  readonly agents: readonly AgentAt[]
  readonly pending: readonly PendingRequest[]
  /** Calls that have started and have no result at this position. */
  readonly inFlight: readonly CallAt[]
  readonly events: readonly RunEvent[]
}

/** A call that has started and has no result at a position of a run. */
export type CallAt = {
  /**
   * Number of the call in its run, starting at 0. The record of its result contains the same
   * number.
   */
  readonly n: number
} & (
  | ({ readonly kind: "model" | "tool" | "node" | "host" | "workflow" } & Omit<
      CallIdentity,
      "runId"
    >)
  | {
      readonly kind: "pause"
      /** End of the pause in milliseconds since the epoch. */
      readonly until: number
      /** Id of the request that expires when the pause ends. */
      readonly awaits?: string
      /** Path of the WaitAgent that waits until the pause ends. */
      readonly waits?: string
    }
)

const kinds = {
  callModel: "model",
  callTool: "tool",
  callNode: "node",
  callHost: "host",
  callWorkflow: "workflow",
} as const

function callAt({ n, src, input }: LeafCall): CallAt {
  if (src === "sleepUntil")
    return {
      n,
      kind: "pause",
      ...(input as Omit<Extract<CallAt, { readonly kind: "pause" }>, "n" | "kind">),
    }
  const { agent, path, branch, idempotencyKey, attempt } = (
    input as { readonly request: CallIdentity }
  ).request
  return { n, kind: kinds[src], agent, path, branch, idempotencyKey, attempt }
}

/** The state of a run at the position of a `RunCursor`. */
export interface CursorState extends Omit<RunAt, "of" | "machines" | "events"> {
  /** Number of events that the run has emitted up to this position. */
  readonly seen: number
}

/**
 * A cursor at a position in the records of a run. When it moves forward, only the records after its
 * position are processed. It does not call models or tools, and it does not write to the journal.
 */
export class RunCursor {
  readonly #header: JournalHeader
  readonly #pastRun: PastRun
  #at: number
  #record: JournalRecord | null
  #inFlight: LeafCall[] = []
  /** Paths of the agents that have started, in the order in which they started. */
  readonly #started = new Set<string>()
  #readEvents = 0
  /** Last turn of each agent whose state machine has stopped, by agent path. */
  readonly #stopped = new Map<string, AgentAt>()

  /**
   * Creates a cursor, which is a position in the records of a run. Replays the records in `past`,
   * and sets the position after these records.
   */
  constructor(header: JournalHeader, past: readonly JournalRecord[], inspect?: Inspect) {
    this.#header = header
    this.#at = past.length
    this.#record = past.at(-1) ?? null
    this.#pastRun = pastRun({
      header,
      past,
      ...(inspect !== undefined && { inspect }),
      watch: {
        called: () => {},
        stopped: (instance) => {
          const agent = agentAt(instance)
          if (agent !== null) this.#stopped.set(agent.path, agent)
        },
      },
      start: (call) => {
        this.#inFlight.push(call)
        return () => {}
      },
    })
  }

  get events(): readonly RunEvent[] {
    return this.#pastRun.events
  }

  get eventCounts(): readonly number[] {
    return this.#pastRun.eventCounts
  }

  /** Processes the next records and moves the cursor to the position after them. */
  advance(records: readonly JournalRecord[]): void {
    this.#pastRun.advance(records, () => void (this.#inFlight = []))
    this.#at += records.length
    this.#record = records.at(-1) ?? this.#record
  }

  /**
   * Returns the state of the run after the records that this cursor has processed. The returned
   * object does not change when the cursor moves.
   */
  read(): CursorState {
    const { run, events } = this.#pastRun
    const turns = new Map(this.#stopped)
    for (const instance of instancesOf(run.chart.root)) {
      const agent = agentAt(instance)
      if (agent !== null) turns.set(agent.path, agent)
    }
    for (; this.#readEvents < events.length; this.#readEvents++) {
      const event = events[this.#readEvents]
      if (event?.type === "agent.started") this.#started.add(event.path)
    }
    return {
      at: this.#at,
      record: this.#record,
      time: this.#record?.[3] ?? this.#header.at,
      result: run.snapshot(),
      agents: [...this.#started].flatMap((path) => turns.get(path) ?? []),
      pending: run.pending(),
      inFlight: this.#inFlight.map(callAt),
      seen: events.length,
    }
  }

  /** Returns the state machines that run after the records that this cursor has processed. */
  machines(): readonly MachineAt[] {
    const { root } = this.#pastRun.run.chart
    return root?.isAlive === true ? machinesAt(root) : []
  }
}

/**
 * Returns the state of a run after its first `at` records. Position 0 is the start of the run. A
 * position beyond the last record is treated as the end of the run. Does not call models or tools,
 * and does not write to the journal. `inspect` receives all XState inspection events up to this
 * position.
 *
 * @example
 * const { result, agents } = runAt(await journal.load(runId), { at: 3 })
 *
 * @throws AgentStatechartsError `chart_invalid`, or `input_refused` if `at` is not a whole number,
 * 0 or greater
 */
export function runAt(
  { header, records }: StoredRun,
  { at = records.length, inspect }: { readonly at?: number; readonly inspect?: Inspect } = {},
): RunAt {
  const cursor = new RunCursor(header, records.slice(0, checkedPosition(at)), inspect)
  const { seen: _seen, ...state } = cursor.read()
  return {
    ...state,
    of: records.length,
    machines: cursor.machines(),
    events: [...cursor.events],
  }
}

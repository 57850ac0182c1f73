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

/** The state of a run after its first `at` records (see `runAt`). */
export interface RunAt {
  /** Number of processed records. `of` is the number of all records. */
  readonly at: number
  readonly of: number
  /** The last processed record; null before the first record. */
  readonly record: JournalRecord | null
  /**
   * Time of the last processed record, or the start time of the run, in milliseconds since the
   * epoch.
   */
  readonly time: number
  /**
   * Result of the run at this position. If the run has not ended, `text` and `state` contain the
   * finished work.
   */
  readonly result: RunResult
  readonly machines: readonly MachineAt[]
  /** The LlmAgents that have started, in the order of their first start. */
  readonly agents: readonly AgentAt[]
  readonly pending: readonly PendingRequest[]
  /** Calls that have started and have no result at this position. */
  readonly inFlight: readonly CallAt[]
  readonly events: readonly RunEvent[]
}

/** A call that has started and has no result at a position of a run. */
export type CallAt = {
  /** Number of the call in its run. The record of its result has the same number. */
  readonly n: number
} & (
  | ({ readonly kind: "model" | "tool" | "node" | "host" | "workflow" } & Omit<
      CallIdentity,
      "runId"
    >)
  | {
      readonly kind: "pause"
      /** End of the pause in milliseconds since the epoch. */ readonly until: number
      /** Id of the request that expires when the pause ends. */ readonly awaits?: string
      /** Path of the WaitAgent whose wait ends with the pause. */ readonly waits?: string
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

/** The state of a run at a cursor's position. */
export interface CursorState extends Omit<RunAt, "of" | "machines" | "events"> {
  /** Number of events that the run has emitted up to this position. */
  readonly seen: number
}

/**
 * A position in the records of a run. Moving the cursor forward only processes the records after its
 * position. Makes no calls and stores nothing.
 */
export class RunCursor {
  readonly #header: JournalHeader
  readonly #pastRun: PastRun
  #at: number
  #record: JournalRecord | null
  #inFlight: LeafCall[] = []
  /** Paths of the agents that have started, in the order of their first start. */
  readonly #started = new Set<string>()
  #readEvents = 0
  /** The last turns of the agents whose machines have stopped, by agent path. */
  readonly #stopped = new Map<string, AgentAt>()

  /**
   * Executes the run from the records in `past` and creates a cursor at the position after them.
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

  /** Processes the next records and moves the cursor behind the last of them. */
  advance(records: readonly JournalRecord[]): void {
    this.#pastRun.advance(records, () => void (this.#inFlight = []))
    this.#at += records.length
    this.#record = records.at(-1) ?? this.#record
  }

  /**
   * Returns the state of the run at the cursor's position. The returned object does not change when
   * the cursor moves.
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

  /** Returns the machines that are running at the cursor's position. */
  machines(): readonly MachineAt[] {
    const { root } = this.#pastRun.run.chart
    return root?.isAlive === true ? machinesAt(root) : []
  }
}

/**
 * Returns the state of a run after its first `at` records. Position 0 is the start of the run. A
 * position beyond the last record is treated as the end. Makes no calls and stores nothing. `inspect`
 * receives all inspection events up to this position.
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

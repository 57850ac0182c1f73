import type { CallIdentity } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { LeafCall } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Instance } from "../driver/instance.js"
import type { JournalRecord, StoredRun } from "../journal/journal.js"
import { checkedPosition } from "./check-position.js"
import type { AgentAt, MachineAt } from "./agent-positions.js"
import { agentAt, instancesOf, machinesAt } from "./agent-positions.js"
import { pastRun } from "./replayed-run.js"

/** The state of a run after the first `at` of its `of` records (see `runAt`). */
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

/** A call that has no result yet. */
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
      /** Id of the request that expires at this time. */ readonly awaits?: string
      /** Path of the WaitAgent that waits for this time. */ readonly waits?: string
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
  const past = records.slice(0, checkedPosition(at))
  const inFlight: CallAt[] = []
  const turns = new Map<string, AgentAt>()
  const remember = (instance: Instance): void => {
    const agent = agentAt(instance)
    if (agent !== null) turns.set(agent.path, agent)
  }
  const { run, events } = pastRun({
    header,
    past,
    ...(inspect === undefined ? {} : { inspect }),
    watch: { called: () => {}, stopped: remember },
    start: (call) => {
      inFlight.push(callAt(call))
      return () => {}
    },
  })
  for (const instance of instancesOf(run.chart.root)) remember(instance)
  const started = new Set(
    events.flatMap(({ type, path }) => (type === "agent.started" ? [path] : [])),
  )
  const agents = [...started].flatMap((path) => turns.get(path) ?? [])
  const record = past.at(-1) ?? null
  const isOver = run.chart.root?.alive !== true
  return {
    at: past.length,
    of: records.length,
    record,
    time: record?.[3] ?? header.at,
    result: run.snapshot(),
    machines: isOver ? [] : machinesAt(run.chart.root),
    agents,
    pending: run.pending(),
    inFlight,
    events: [...events],
  }
}

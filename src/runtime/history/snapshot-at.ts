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

/** A run as it stood when a number of its records had been fed. */
export interface RunAt {
  /** How many records had been fed, and how many there are. */
  readonly at: number
  readonly of: number
  /** The record that led here; null at the start. */
  readonly record: JournalRecord | null
  /** Milliseconds since the epoch, when that record was made. */
  readonly time: number
  /** Status, text and state; while the run is open, of the finished work so far. */
  readonly result: RunResult
  readonly machines: readonly MachineAt[]
  /** The LlmAgents that have begun, in that order. */
  readonly agents: readonly AgentAt[]
  readonly pending: readonly PendingRequest[]
  /** Calls that had no result yet. */
  readonly inFlight: readonly CallAt[]
  readonly events: readonly RunEvent[]
}

/** A call that waits for its result. */
export type CallAt = {
  /** The records of its result begin with this number. */
  readonly n: number
} & (
  | ({ readonly kind: "model" | "tool" | "host" } & Omit<CallIdentity, "runId">)
  | {
      readonly kind: "pause"
      /** Milliseconds since the epoch. */ readonly until: number
      /** The request that expires then, or what has to be over. */ readonly awaits?: string
    }
)

const kinds = { callModel: "model", callTool: "tool", callHost: "host" } as const

function callAt({ n, src, input }: LeafCall): CallAt {
  if (src === "sleepUntil")
    return { n, kind: "pause", ...(input as { readonly until: number; readonly awaits?: string }) }
  const { agent, path, branch, idempotencyKey, attempt } = (
    input as { readonly request: CallIdentity }
  ).request
  return { n, kind: kinds[src], agent, path, branch, idempotencyKey, attempt }
}

/**
 * Looks at a run as it stood when its first `at` records had been fed: 0 is the start, more than
 * there are is the end. No call is made and nothing is stored; what is shown is what the same
 * records lead to again. An inspector sees all of it happen.
 *
 * @example
 * const { result, agents } = runAt(await journal.load(runId), { at: 3 })
 *
 * @throws AgentStatechartsError `chart_invalid` for a chart that cannot be run, `input_refused` for
 * an `at` that is no count.
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
  const begun = new Set(
    events.flatMap(({ type, path }) => (type === "agent.started" ? [path] : [])),
  )
  const agents = [...begun].flatMap((path) => turns.get(path) ?? [])
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

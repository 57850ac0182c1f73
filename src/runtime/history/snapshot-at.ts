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

/** The state of a run after a number of records. */
export interface RunAt {
  /** Number of processed records, and number of all records. */
  readonly at: number
  readonly of: number
  /** The last processed record; null at the start. */
  readonly record: JournalRecord | null
  /** Time of the last processed record in milliseconds since the epoch. */
  readonly time: number
  /** Status, text and state. For an open run, they contain the finished work. */
  readonly result: RunResult
  readonly machines: readonly MachineAt[]
  /** The LlmAgents that have started, in this order. */
  readonly agents: readonly AgentAt[]
  readonly pending: readonly PendingRequest[]
  /** Calls without a result. */
  readonly inFlight: readonly CallAt[]
  readonly events: readonly RunEvent[]
}

/** A call without a result. */
export type CallAt = {
  /** Number of the call. The record of its result starts with this number. */
  readonly n: number
} & (
  | ({ readonly kind: "model" | "tool" | "host" } & Omit<CallIdentity, "runId">)
  | {
      readonly kind: "pause"
      /** End of the pause in milliseconds since the epoch. */ readonly until: number
      /** Id of the request that expires at this time. */ readonly awaits?: string
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
 * Returns the state of a run after its first `at` records. 0 is the start, and a number beyond the
 * end is the end. It makes no calls and stores nothing. An inspector receives all inspection events
 * up to this position.
 *
 * @example
 * const { result, agents } = runAt(await journal.load(runId), { at: 3 })
 *
 * @throws AgentStatechartsError `chart_invalid`, or `input_refused` for an invalid `at`
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

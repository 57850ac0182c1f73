import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallIdentity } from "../../machines/contract/services.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { LeafCall } from "../driver/host.js"
import { executePast, type PastParts } from "../history/execute-past.js"
import type { Journal, JournalHeader } from "../journal/journal.js"

/** The parts of a runner with which it executes the calling run. */
export interface CallerParts extends Pick<PastParts, "policyGate"> {
  readonly journal: Journal
  machinesOf(chart: AgentChart): PastParts["machine"]
}

/** Returns whether a run is a child run whose call has ended without it. */
export type IsAbandoned = (header: JournalHeader) => Promise<boolean>

/**
 * Creates a function that checks whether a run is a child run whose call has ended without it. This
 * is the case if the calling process was killed between the end of the call and the cancellation of
 * the child run. A fork of a child run belongs to no call.
 *
 * The function loads and replays each calling run only once. Use it only for runs that existed
 * before it was created, because a call that starts later is not found.
 */
export function abandonedRuns(parts: CallerParts): IsAbandoned {
  const awaited = new Map<string, Promise<ReadonlySet<string> | null>>()
  return async ({ runId, calledBy, forkedFrom }) => {
    if (calledBy === undefined || forkedFrom !== undefined) return false
    const ofCaller = awaited.get(calledBy.runId) ?? awaitedRuns(calledBy.runId, parts)
    awaited.set(calledBy.runId, ofCaller)
    return (await ofCaller)?.has(runId) === false
  }
}

/** Returns the ids of the child runs that the open calls of a run await; null without the run. */
async function awaitedRuns(
  callerId: string,
  { journal, machinesOf, policyGate }: CallerParts,
): Promise<ReadonlySet<string> | null> {
  const caller = await journal.load(callerId)
  if (caller === null) return null
  const { header, records } = caller
  const awaited = new Set<string>()
  const start = (call: LeafCall) => {
    if (call.src === "callWorkflow") awaited.add(childRunId(requestOf(call)))
    return () => {}
  }
  executePast({ header, past: records, machine: machinesOf(header.chart), policyGate, start })
  return awaited
}

// The calling machine creates the input.
const requestOf = ({ input }: LeafCall): CallIdentity =>
  (input as { readonly request: CallIdentity }).request

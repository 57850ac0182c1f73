import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CallIdentity } from "../../machines/contract/services.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { LeafCall } from "../driver/host.js"
import { executePast, type PastParts } from "../history/execute-past.js"
import type { Journal, JournalHeader } from "../journal/journal.js"

/**
 * The parts of a runner that are needed to replay a run that has called other runs. `machinesOf`
 * returns the executable machines of a chart.
 */
export interface CallerParts extends Pick<PastParts, "policyGate"> {
  readonly journal: Journal
  machinesOf(chart: AgentChart): PastParts["machine"]
}

/**
 * Returns true if a run is an abandoned child run. The call of a workflow that started this run has
 * ended, but the run itself was not cancelled.
 */
export type IsAbandoned = (header: JournalHeader) => Promise<boolean>

/**
 * Creates a function that checks whether a run is an abandoned child run. A child run is abandoned
 * if its caller no longer waits for it. This happens if the process of the caller was killed before
 * it cancelled the child run. A fork of a child run is never abandoned, because no call has started
 * it.
 *
 * The function loads and replays each calling run only once, so it does not find calls that start
 * later. Use it only for runs that were stored before the function was created.
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

/**
 * Returns the ids of the child runs that a run is still waiting for. Returns null if the run does
 * not exist.
 */
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

// The cast is safe: the input of a workflow call always contains a request.
const requestOf = ({ input }: LeafCall): CallIdentity =>
  (input as { readonly request: CallIdentity }).request

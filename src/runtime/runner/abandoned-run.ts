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

/**
 * Returns whether a run is a child run whose call has ended without it. This is the case if the
 * calling process was killed between the end of the call and the cancellation of the child run. A
 * fork of a child run belongs to no call.
 */
export async function isAbandoned(
  { runId, calledBy, forkedFrom }: JournalHeader,
  { journal, machinesOf, policyGate }: CallerParts,
): Promise<boolean> {
  if (calledBy === undefined || forkedFrom !== undefined) return false
  const caller = await journal.load(calledBy.runId)
  if (caller === null) return false
  const { header, records } = caller
  let isAwaited = false
  const start = (call: LeafCall) => {
    isAwaited ||= call.src === "callWorkflow" && childRunId(requestOf(call)) === runId
    return () => {}
  }
  executePast({ header, past: records, machine: machinesOf(header.chart), policyGate, start })
  return !isAwaited
}

// The calling machine creates the input.
const requestOf = ({ input }: LeafCall): CallIdentity =>
  (input as { readonly request: CallIdentity }).request

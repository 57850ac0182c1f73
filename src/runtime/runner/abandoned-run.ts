import { AgentStatechartsError } from "../../errors.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import { runAt } from "../history/snapshot-at.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { Run } from "../run/run.js"

/**
 * Returns whether a run is a child run whose call has ended without it. This is the case if the
 * calling process was killed between the end of the call and the cancellation of the child run. A
 * fork of a child run belongs to no call.
 */
export async function isAbandoned(
  { runId, calledBy, forkedFrom }: JournalHeader,
  journal: Journal,
): Promise<boolean> {
  if (calledBy === undefined || forkedFrom !== undefined) return false
  const caller = await journal.load(calledBy.runId)
  return (
    caller !== null &&
    runAt(caller).inFlight.every((call) => call.kind !== "workflow" || childRunId(call) !== runId)
  )
}

/** Cancels a run, unless it has ended. */
export function cancelIfOpen(run: Run): void {
  try {
    run.cancel()
  } catch (error) {
    if (!(error instanceof AgentStatechartsError) || error.code !== "run_finished") throw error
  }
}

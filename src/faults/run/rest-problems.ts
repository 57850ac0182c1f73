import type { RunExecution } from "../../runtime/run/run-execution.js"
import type { SimulatedProcess } from "./simulated-process.js"

/**
 * Returns texts that describe the problems of a run that no longer continues. Either the run waits
 * without a pending request, or calls or timers are still active. Returns an empty list if there
 * are no problems.
 */
export function restProblems(run: RunExecution, process: SimulatedProcess): readonly string[] {
  const { status } = run
  const lists =
    status === "waiting" && run.pending().length === 0
      ? ["it waits, but it lists no pending request"]
      : []
  const left = process
    .activeWork({ hasEnded: !run.isOpen() })
    .map((each) => `it is ${status}, but it has left ${each} behind`)
  return [...lists, ...left]
}

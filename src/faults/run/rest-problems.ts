import type { RunExecution } from "../../runtime/run/run-execution.js"
import type { SimulatedProcess } from "./simulated-process.js"

/**
 * Returns the reasons why a run without further activity is neither idle nor ended. Returns an
 * empty text if it is.
 */
export function restProblems(run: RunExecution, process: SimulatedProcess): readonly string[] {
  const { status } = run
  const lists =
    status === "waiting" && run.pending().length === 0
      ? ["it waits, but it lists no pending request"]
      : []
  const left = process
    .leftBehind({ hasEnded: !run.isOpen() })
    .map((each) => `it is ${status}, but it has left ${each} behind`)
  return [...lists, ...left]
}

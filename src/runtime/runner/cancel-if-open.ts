import { AgentStatechartsError } from "../../errors.js"
import type { Run } from "../run/run.js"

/** Cancels a run. Does nothing if the run has already ended. */
export function cancelIfOpen(run: Run): void {
  try {
    run.cancel()
  } catch (error) {
    if (!(error instanceof AgentStatechartsError) || error.code !== "run_finished") throw error
  }
}

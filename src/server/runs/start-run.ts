import type { StartOptions } from "../../runtime/runner/runner.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import type { ServedWorkflow } from "../workflows/served-workflows.js"

export type StartRun = (workflow: ServedWorkflow, options: StartOptions) => Promise<string>

/** Starts runs as long as there is room: every open run is held in memory. */
export function startRun(runs: RunHub, maxOpenRuns: number): StartRun {
  return async ({ chart, file, scenario }, options) => {
    if (runs.openCount >= maxOpenRuns)
      throw new HttpError(429, {
        code: "too_many_runs",
        message: `${maxOpenRuns} runs are open, which is the limit; end some runs, or increase --max-open-runs`,
      })
    return runs.start(chart, { file, scenario }, options)
  }
}

import type { StartOptions } from "../../runtime/runner/runner-options.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import type { ServedWorkflow } from "../workflows/served-workflows.js"

/** Function that starts a run of a workflow and returns its id. */
export type StartRun = (workflow: ServedWorkflow, options: StartOptions) => Promise<string>

/**
 * Returns a function that starts runs. If `maxOpenRuns` runs are already in memory, it throws
 * HttpError `too_many_runs`.
 */
export function startRun(runs: RunHub, maxOpenRuns: number): StartRun {
  return async ({ chart, file, scenario }, options) => {
    if (runs.openCount >= maxOpenRuns)
      throw new HttpError(429, {
        code: "too_many_runs",
        message: `the limit of ${maxOpenRuns} open runs is reached; end some runs, or increase --max-open-runs`,
      })
    return runs.start(chart, { file, scenario, module: null }, options)
  }
}

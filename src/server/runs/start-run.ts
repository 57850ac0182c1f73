import type { StartOptions } from "../../runtime/runner/runner-options.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import type { ServedWorkflow } from "../workflows/served-workflows.js"

/** Starts a run of a workflow and resolves to its id. */
export type StartRun = (workflow: ServedWorkflow, options: StartOptions) => Promise<string>

/**
 * Returns a function that starts runs. The function throws HttpError `too_many_runs` if
 * `maxOpenRuns` runs are already open in memory.
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

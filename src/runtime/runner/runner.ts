import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import { memoryResponseCache } from "../host/response-cache/memory-response-cache.js"
import { loadRun, storeRun } from "../journal/stored-run.js"
import { featureMissing } from "../program/feature-missing.js"
import type { Run } from "../run/run.js"
import { type MemoryOption, withMemory } from "../memory/with-memory.js"
import { storeAdopted } from "./adopt.js"
import { allFeatures } from "./all-features.js"
import type { CalledRuns } from "./called-runs.js"
import { checkRunArguments } from "./check-arguments.js"
import { type CoreRunner, coreRunnerParts } from "./core-runner.js"
import { fork, type ForkOptions } from "./fork.js"
import type { RunnerOptions } from "./runner-options.js"

/**
 * Starts, resumes and forks runs with one set of services. Also adopts runs, which means that a new
 * run continues a run with an edited chart.
 */
export interface Runner extends CoreRunner {
  /**
   * Creates, stores and resumes a new run that starts with the first records of another run
   * (docs/time-travel.md). Calls with a copied result are not repeated. The new run has no session,
   * even if the other run has a session.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_exists`, and the errors of `fork`
   */
  fork(
    runId: string,
    options: Omit<ForkOptions, "runId"> & { readonly runId?: string },
  ): Promise<Run>
  /**
   * Creates, stores and resumes a new run that continues another run with an edited chart. The new
   * chart must use every recorded result. Calls in flight are repeated with the same idempotency
   * key.
   *
   * @throws AgentStatechartsError `run_unknown`, `run_owned` if another process executes the run,
   * `run_exists`, `chart_invalid`, or `chart_differs` with the results that would not be used
   */
  adopt(runId: string, chart: AgentChart, options?: { readonly runId?: string }): Promise<Run>
}

/**
 * Creates a runner, which starts, resumes, forks and adopts runs.
 *
 * @example
 * const runner = createRunner({ http: createHttpServices() })
 * const run = runner.start(chart, { prompt: "Plan a trip to Tokyo." })
 * run.events$.subscribe((event) => console.log(event.type, event.agent))
 * const { status, state, text } = await run.result
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export const createRunner = (options: RunnerOptions & MemoryOption = {}): Runner =>
  runnerParts(options).runner

/**
 * Creates a runner, together with the object that executes its child runs. `findRun` returns a run
 * that another runner of this process executes, or null if there is no such run.
 */
export function runnerParts(
  options: RunnerOptions & MemoryOption,
  findRun: (runId: string) => Run | null = () => null,
): {
  readonly runner: Runner
  readonly calledRuns: CalledRuns
} {
  const core = coreRunnerParts(
    { responseCache: memoryResponseCache(), ...withMemory(options) },
    allFeatures,
    findRun,
  )
  const { journal, clock, ids, resume, calledRuns } = core
  // This never happens, because `allFeatures` contains the feature `workflowCalls`.
  if (calledRuns === null) throw featureMissing("workflowCalls")
  const runner: Runner = {
    ...core.runner,
    async fork(runId, options) {
      checkRunArguments("fork", runId, options, "{ at: 3 }")
      const { runId: forkId = ids.next(), ...changes } = options
      const forked = fork(await loadRun(journal, runId), {
        now: clock.now(),
        ...changes,
        runId: forkId,
      })
      await storeRun(journal, forked)
      return resume(forkId)
    },
    async adopt(runId, chart, options = {}) {
      checkRunArguments("adopt", runId, options, '{ runId: "new-run" }')
      checkChart(chart, "runner.adopt")
      const { runId: newId = ids.next() } = options
      await storeAdopted(journal, { runId, chart, newId })
      return resume(newId)
    },
  }
  return { runner, calledRuns }
}

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { CallServices, Journal, RecordedCalls, ReuseReport } from "../../runtime/index.js"
import { createRunner, memoryJournal } from "../../runtime/index.js"
import type { CustomMetrics } from "../criteria/criterion.js"
import type { EvaluationServices } from "./evaluation-services.js"
import type { Judge } from "../judge/judge.js"
import { type JudgeUsage, modelJudge } from "../judge/model-judge.js"
import type { PlannedCase } from "../plan/plan-evaluation.js"
import type { EvalCallCounts } from "../report/report.js"
import type { CaseRun } from "../run/case-run.js"
import { runCase } from "../run/run-case.js"
import { type ScoredRun, scoreRun } from "../scoring/score-run.js"

export interface EvaluateRunOptions {
  readonly services: EvaluationServices
  readonly metrics: CustomMetrics
  /**
   * Name of the model that judges responses for all criteria, instead of the models that the
   * criteria name. False skips all criteria that need a judge.
   */
  readonly judge?: string | false
  /** Journal that stores the run. By default, the run is kept in memory until it is scored. */
  readonly journal?: Journal
  /**
   * Recorded calls of another run. If this run makes an equal call, it receives the recorded result
   * instead of calling the service.
   */
  readonly recorded?: RecordedCalls
  /** Id of the run. Default: a random id. */
  readonly runId?: string
  readonly signal?: AbortSignal
}

/** One run of a case, with its scores and the numbers of calls that it made. */
export interface EvaluatedRun {
  readonly scored: ScoredRun
  readonly run: CaseRun
  readonly calls: EvalCallCounts
}

/** Runs a case once with a workflow and scores the run. */
export async function evaluateRun(
  chart: AgentChart,
  planned: PlannedCase,
  { services, metrics, judge, journal, recorded, runId, signal }: EvaluateRunOptions,
): Promise<EvaluatedRun> {
  const { judge: judgeService, isRecording = false, close: _close, ...calls } = services
  const store = journal ?? memoryJournal()
  const stop = signal === undefined ? {} : { signal }
  const runner = createRunner({
    // Do not use cached responses: each case calls the models itself.
    responseCache: null,
    skipWaits: true,
    ...calls,
    journal: store,
    ...(recorded !== undefined && { recorded }),
  })
  const judgeUsage: JudgeUsage = { calls: 0, tokens: 0 }
  const judgeRunner = createRunner(servicesOfJudges(planned, calls, judgeService, judge))
  try {
    const run = await runCase(chart, planned.evalCase, {
      runner,
      journal: store,
      ...(runId !== undefined && { runId }),
      ...stop,
    })
    const scored = await scoreRun(planned, run, {
      chart,
      metrics,
      judge:
        judge === false
          ? null
          : named(modelJudge(judgeRunner, { usage: judgeUsage, ...stop }), judge),
    })
    return {
      scored,
      run,
      calls: callCounts(run, judgeUsage, isRecording, recorded?.report() ?? null),
    }
  } finally {
    await Promise.all([runner.close(), judgeRunner.close()])
  }
}

/**
 * Returns a judge that sends all questions to `model`. If `model` is undefined, returns the judge
 * unchanged.
 */
const named = (judge: Judge, model: string | undefined): Judge =>
  model === undefined ? judge : { ask: (question) => judge.ask({ ...question, model }) }

/**
 * Returns the services for calls of judge models. They contain the services of the workflow and the
 * judge models, but not the prices of the workflow.
 */
function servicesOfJudges(
  { criteria }: PlannedCase,
  calls: CallServices,
  judgeService: ModelService | undefined,
  judge: string | false | undefined,
): CallServices {
  // The prices of a workflow do not include the models of judges.
  const { priceOf: _priceOf, ...others } = calls
  if (judgeService === undefined) return others
  const names = criteria.flatMap(({ scorer }) => scorer.judgeModel ?? [])
  return {
    ...others,
    models: {
      ...calls.models,
      ...Object.fromEntries(
        [...names, ...(typeof judge === "string" ? [judge] : [])].map((name) => [
          name,
          judgeService,
        ]),
      ),
    },
  }
}

function callCounts(
  { turns }: CaseRun,
  judge: JudgeUsage,
  isRecording: boolean,
  reuse: ReuseReport | null,
): EvalCallCounts {
  const judgeCalls = { judge: judge.calls, judgeTokens: judge.tokens }
  const counts = { models: 0, tools: 0, tokens: 0, cost: null as number | null }
  if (isRecording) return { ...counts, ...judgeCalls }
  for (const { usage } of turns) {
    counts.models += usage.modelCalls
    counts.tools += usage.toolCalls
    counts.tokens += usage.inputTokens + usage.outputTokens
    if (usage.cost !== null) counts.cost = (counts.cost ?? 0) + usage.cost
  }
  if (reuse === null) return { ...counts, ...judgeCalls }
  const { calls, reusedUsage } = reuse
  return {
    ...calls.made,
    tokens: counts.tokens - reusedUsage.tokens,
    cost: counts.cost === null ? null : counts.cost - (reusedUsage.cost ?? 0),
    ...judgeCalls,
  }
}

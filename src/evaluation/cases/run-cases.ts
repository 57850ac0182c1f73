import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluatedCase } from "../report/collect-cases.js"
import { addEvalCalls, noEvalCalls, progressCounter } from "../run/progress-counter.js"
import { caseResult, notEvaluatedCase } from "../scoring/case-result.js"
import { caseWarnings } from "../scoring/case-warnings.js"
import { type EvaluatedRun, evaluateRun } from "./evaluate-run.js"
import type { EvaluationOptions } from "./evaluation-options.js"
import type { EvaluationServices, ServicesOfCases } from "./evaluation-services.js"
import { type CaseTask, runRepetitions, tasksOf } from "./run-repetitions.js"

/**
 * Runs all cases and scores them. The results do not depend on the order in which the runs end.
 * Resolves to a function that looks up the result of a case. This function returns null if the case
 * has not finished.
 */
export async function runCases(
  chart: AgentChart,
  sets: readonly PlannedSet[],
  options: EvaluationOptions,
): Promise<(setIndex: number, caseIndex: number) => EvaluatedCase | null> {
  const { repeat = 1, concurrency = 4, signal, finishedCases, onProgress } = options
  const tasks = tasksOf(sets)
  const progress = progressCounter(tasks.length, onProgress ?? (() => {}))
  return runRepetitions<Pick<EvaluatedRun, "scored" | "calls">, EvaluatedCase>(
    tasks,
    {
      finished: (task) =>
        withoutRuns(task) ?? finishedCases?.load(task.set.file, evalIdOf(task)) ?? null,
      async execute(task, repetition) {
        progress.runStarted()
        const { scored, calls } = await withServices(
          options.services,
          task,
          repetition,
          (services) =>
            evaluateRun(chart, task.planned, {
              services,
              metrics: options.metrics ?? {},
              ...(options.judge !== undefined && { judge: options.judge }),
              ...(options.journal !== undefined && { journal: options.journal }),
              ...(signal !== undefined && { signal }),
            }),
        )
        progress.runEnded(calls)
        return { scored, calls }
      },
      combine({ planned, set }, runs) {
        const scored = runs.map(({ scored: one }) => one)
        const { strict } = options
        return {
          result: caseResult(planned, scored, strict === undefined ? {} : { strict }),
          warnings: caseWarnings(planned, set.file, scored),
          calls: runs.map(({ calls }) => calls).reduce(addEvalCalls, noEvalCalls),
        }
      },
      onFinished(task, evaluated, isNew) {
        progress.caseEnded(evaluated.result.status)
        return isNew ? finishedCases?.save(task.set.file, evalIdOf(task), evaluated) : undefined
      },
    },
    { repeat, concurrency, signal },
  )
}

const evalIdOf = ({ planned }: CaseTask): string => planned.evalCase.evalId

/**
 * Returns the result of a case that is not run because it needs a simulated user, which is not
 * supported. Returns null for all other cases.
 */
const withoutRuns = ({ planned, set }: CaseTask): EvaluatedCase | null =>
  planned.evalCase.needsSimulatedUser
    ? {
        result: notEvaluatedCase,
        warnings: caseWarnings(planned, set.file, []),
        calls: noEvalCalls,
      }
    : null

/**
 * Calls `act` with the services for one run of a case. If a function opened these services, closes
 * them afterwards.
 */
export async function withServices<Value>(
  services: ServicesOfCases,
  { planned, set }: CaseTask,
  repetition: number,
  act: (services: EvaluationServices) => Promise<Value>,
): Promise<Value> {
  if (typeof services !== "function") return act(services)
  const opened = await services(planned.evalCase.evalId, repetition, set.evalSetId)
  try {
    return await act(opened)
  } finally {
    await opened.close?.()
  }
}

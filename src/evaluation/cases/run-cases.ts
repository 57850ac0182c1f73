import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PlannedCase, PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluatedCase } from "../report/build-report.js"
import { runConcurrently } from "../run/run-concurrently.js"
import { addEvalCalls, noEvalCalls, progressCounter } from "../run/progress-counter.js"
import { caseResult, notEvaluatedCase } from "../scoring/case-result.js"
import { caseWarnings } from "../scoring/case-warnings.js"
import { type EvaluatedRun, evaluateRun } from "./evaluate-run.js"
import type { EvaluationOptions } from "./evaluation-options.js"

interface CaseTask {
  readonly set: PlannedSet
  readonly planned: PlannedCase
  readonly setIndex: number
  readonly caseIndex: number
}

/** Runs all cases and scores them. The results do not depend on the order in which the runs end. */
export async function runCases(
  chart: AgentChart,
  sets: readonly PlannedSet[],
  options: EvaluationOptions,
): Promise<(setIndex: number, caseIndex: number) => EvaluatedCase | null> {
  const { repeat = 1, concurrency = 4, signal, finishedCases, onProgress } = options
  const tasks = sets.flatMap((set, setIndex) =>
    set.cases.map((planned, caseIndex): CaseTask => ({ set, planned, setIndex, caseIndex })),
  )
  const progress = progressCounter(tasks.length, onProgress ?? (() => {}))
  const results = new Map<string, EvaluatedCase>()
  const finish = ({ setIndex, caseIndex }: CaseTask, evaluated: EvaluatedCase): void => {
    results.set(`${setIndex} ${caseIndex}`, evaluated)
    progress.caseEnded(evaluated.result.status)
  }
  await runConcurrently(
    repetitionsOf(tasks, repeat, (task) => {
      const { file } = task.set
      const { evalCase } = task.planned
      const stored = evalCase.needsSimulatedUser
        ? {
            result: notEvaluatedCase,
            warnings: caseWarnings(task.planned, file, []),
            calls: noEvalCalls,
          }
        : (finishedCases?.load(file, evalCase.evalId) ?? null)
      if (stored !== null) finish(task, stored)
      return stored !== null
    }),
    concurrency,
    async ({ task, repetition, open }) => {
      if (signal?.aborted === true) return
      const { planned, set } = task
      const { evalId } = planned.evalCase
      progress.runStarted()
      const services =
        typeof options.services === "function"
          ? await options.services(evalId, repetition, set.evalSetId)
          : options.services
      let run: EvaluatedRun
      try {
        run = await evaluateRun(chart, planned, {
          services,
          metrics: options.metrics ?? {},
          ...(options.judge === undefined ? {} : { judge: options.judge }),
          ...(options.journal === undefined ? {} : { journal: options.journal }),
          ...(signal === undefined ? {} : { signal }),
        })
      } finally {
        if (typeof options.services === "function") await services.close?.()
      }
      progress.runEnded(run.calls)
      if (isStopped(signal)) return
      open.runs[repetition] = { scored: run.scored, calls: run.calls }
      open.left--
      if (open.left > 0) return
      const scored = open.runs.map(({ scored: one }) => one)
      const evaluated = {
        result: caseResult(
          planned,
          scored,
          options.strict === undefined ? {} : { strict: options.strict },
        ),
        warnings: caseWarnings(planned, set.file, scored),
        calls: open.runs.map(({ calls }) => calls).reduce(addEvalCalls, noEvalCalls),
      }
      finish(task, evaluated)
      await finishedCases?.save(set.file, evalId, evaluated)
    },
  )
  return (setIndex, caseIndex) => results.get(`${setIndex} ${caseIndex}`) ?? null
}

const isStopped = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

interface OpenCase {
  readonly runs: Pick<EvaluatedRun, "scored" | "calls">[]
  left: number
}

interface RepetitionTask {
  readonly task: CaseTask
  readonly repetition: number
  readonly open: OpenCase
}

/** Yields all repetitions of all cases in order, without cases that `isFinished` returns true for. */
function* repetitionsOf(
  tasks: readonly CaseTask[],
  repeat: number,
  isFinished: (task: CaseTask) => boolean,
): Generator<RepetitionTask> {
  for (const task of tasks) {
    if (isFinished(task)) continue
    const open: OpenCase = { runs: [], left: repeat }
    for (let repetition = 0; repetition < repeat; repetition++) yield { task, repetition, open }
  }
}

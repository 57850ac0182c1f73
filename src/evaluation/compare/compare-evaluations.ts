import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Journal } from "../../runtime/index.js"
import { memoryJournal, systemClock } from "../../runtime/index.js"
import { recordedCallsWithChildren } from "../../runtime/host/open-recorded-calls.js"
import { storeRun } from "../../runtime/journal/stored-run.js"
import { type EvaluatedRun, evaluateRun } from "../cases/evaluate-run.js"
import type { EvaluationOptions, FinishedCases } from "../cases/evaluation-options.js"
import type { ServicesOfCases } from "../cases/evaluation-services.js"
import { runRepetitions, tasksOf } from "../cases/run-repetitions.js"
import { withServices } from "../cases/run-cases.js"
import { defaultEvalConfig } from "../config/eval-config.js"
import type { EvaluateOptions } from "../evaluate.js"
import { preparedEvaluation } from "../evaluate.js"
import type { ConfiguredSet, PlannedSet } from "../plan/plan-evaluation.js"
import type { EvaluationProblem } from "../reading/problem.js"
import { unsupportedCriteria } from "../report/build-report.js"
import { collectCases, type EvaluatedCase } from "../report/collect-cases.js"
import type { EvalCallCounts } from "../report/report.js"
import type { CaseRun } from "../run/case-run.js"
import { addEvalCalls, noEvalCalls, progressCounter } from "../run/progress-counter.js"
import { caseWarnings } from "../scoring/case-warnings.js"
import { type ComparedRun, comparedCase } from "./compare-case.js"
import { comparisonExitCode, comparisonSummary } from "./compare-results.js"
import type { ComparedCase, ComparisonReport } from "./comparison-report.js"

/** Options of `compareEvaluations`, which compares the scores of two workflows. */
export interface CompareEvaluationsOptions extends Omit<EvaluateOptions, "finishedCases"> {
  /**
   * Services for the calls of workflow B that cannot reuse a response of workflow A. Default: the
   * option `services`.
   */
  readonly servicesB?: ServicesOfCases
  /**
   * Stores the results of finished cases. An interrupted comparison can then continue without
   * repeating these cases.
   */
  readonly finishedCases?: FinishedCases<ComparedCase>
}

/**
 * Runs all cases with workflow A and then with workflow B, and compares the scores. If B makes the
 * same call as A, the response of A is reused. Services are only called for the other calls of B.
 *
 * @example
 * const report = await compareEvaluations(chart, edited, { sets: [set], services })
 * console.log(report.summary.regressed, report.summary.calls.made)
 *
 * @throws AgentStatechartsError `evaluation_invalid` with all problems if a criterion does not fit
 * the charts or the services
 */
export async function compareEvaluations(
  chartA: AgentChart,
  chartB: AgentChart,
  { sets, config = defaultEvalConfig(), ...options }: CompareEvaluationsOptions,
): Promise<ComparisonReport> {
  return compareSets(
    chartA,
    chartB,
    sets.map((set) => ({ set, config })),
    options,
  )
}

type CompareOptions = Omit<EvaluationOptions, "finishedCases"> &
  Pick<CompareEvaluationsOptions, "servicesB" | "finishedCases">

/**
 * Compares two workflows with eval sets that have different configs. Otherwise works like
 * `compareEvaluations`.
 */
export async function compareSets(
  chartA: AgentChart,
  chartB: AgentChart,
  sets: readonly ConfiguredSet[],
  { servicesB, finishedCases, ...options }: CompareOptions,
  problems: readonly EvaluationProblem[] = [],
): Promise<ComparisonReport> {
  const startedAt = systemClock.now()
  const [a, b] = await preparedEvaluation(sets, problems, [
    { chart: chartA, options },
    { chart: chartB, options: { ...options, services: servicesB ?? options.services } },
  ])
  const results = await runBoth([chartA, chartB], a.plan, a.options, {
    servicesB: b.options.services,
    finishedCases,
  })
  return comparisonReport([chartA, chartB], a.plan, results, {
    repeat: options.repeat ?? 1,
    duration: (systemClock.now() - startedAt) / 1000,
    warnings: a.plan.flatMap((set) => unsupportedCriteria(set, options.metrics ?? {})),
  })
}

/** Returns the report of a comparison that could not start because of `errors`. */
export const invalidComparison = (
  [chartA, chartB]: BothCharts,
  errors: readonly EvaluationProblem[],
  repeat: number,
): ComparisonReport => ({
  version: 1,
  agents: { a: chartA.id, b: chartB.id },
  fingerprints: { a: chartA.fingerprint, b: chartB.fingerprint },
  repeat,
  duration: 0,
  sets: [],
  summary: comparisonSummary([]),
  calls: noEvalCalls,
  warnings: [],
  errors,
  exitCode: 2,
})

type BothCharts = readonly [AgentChart, AgentChart]

async function runBoth(
  charts: BothCharts,
  sets: readonly PlannedSet[],
  options: EvaluationOptions,
  {
    servicesB,
    finishedCases,
  }: {
    readonly servicesB: ServicesOfCases
    readonly finishedCases: FinishedCases<ComparedCase> | undefined
  },
): Promise<(setIndex: number, caseIndex: number) => EvaluatedCase<ComparedCase> | null> {
  const { repeat = 1, concurrency = 4, signal, onProgress, strict } = options
  const tasks = tasksOf(sets)
  const progress = progressCounter(tasks.length, onProgress ?? (() => {}))
  const resultOptions = strict === undefined ? {} : { strict }
  return runRepetitions<
    { readonly run: ComparedRun; readonly calls: EvalCallCounts },
    EvaluatedCase<ComparedCase>
  >(
    tasks,
    {
      finished: ({ planned, set }) =>
        planned.evalCase.needsSimulatedUser
          ? {
              result: comparedCase(planned, [], resultOptions),
              warnings: caseWarnings(planned, set.file, []),
              calls: noEvalCalls,
            }
          : (finishedCases?.load(set.file, planned.evalCase.evalId) ?? null),
      async execute(task, repetition) {
        progress.runStarted()
        const compared = await compareRun(charts, options, {
          planned: task.planned,
          openA: (act) => withServices(options.services, task, repetition, act),
          openB: (act) => withServices(servicesB, task, repetition, act),
        })
        progress.runEnded(compared.calls)
        return compared
      },
      combine({ planned, set }, runs) {
        const compared = runs.map(({ run }) => run)
        const scored = compared.flatMap(({ a, b }) => [a.scored, b.scored])
        return {
          result: comparedCase(planned, compared, resultOptions),
          warnings: caseWarnings(planned, set.file, scored),
          calls: runs.map(({ calls }) => calls).reduce(addEvalCalls, noEvalCalls),
        }
      },
      onFinished({ planned, set }, compared, isNew) {
        progress.caseEnded(compared.result.b.status)
        return isNew ? finishedCases?.save(set.file, planned.evalCase.evalId, compared) : undefined
      },
    },
    { repeat, concurrency, signal },
  )
}

type Open = (act: Parameters<typeof withServices<EvaluatedRun>>[3]) => Promise<EvaluatedRun>

/**
 * Runs a case with workflow A and then with workflow B. If B makes the same call as A, the call of
 * B reuses the result.
 */
async function compareRun(
  [chartA, chartB]: BothCharts,
  { metrics = {}, judge, journal, signal }: EvaluationOptions,
  {
    planned,
    openA,
    openB,
  }: {
    readonly planned: PlannedSet["cases"][number]
    readonly openA: Open
    readonly openB: Open
  },
): Promise<{ readonly run: ComparedRun; readonly calls: EvalCallCounts }> {
  const common = {
    metrics,
    ...(judge !== undefined && { judge }),
    ...(signal !== undefined && { signal }),
  }
  const journalOfA = journal ?? memoryJournal()
  const a = await openA((services) =>
    evaluateRun(chartA, planned, { ...common, services, journal: journalOfA }),
  )
  const { runId, stored } = a.run
  if (stored === null)
    throw new AgentStatechartsError(
      "run_unknown",
      `the journal has not kept the run "${runId}", so its calls cannot be reused`,
    )
  const recorded = await recordedCallsWithChildren(stored, (id) => journalOfA.load(id))
  const b = await openB((services) =>
    // Both runs have the same id, because requests of graphs contain the run id and must be equal.
    evaluateRun(chartB, planned, {
      ...common,
      services,
      recorded,
      runId,
      journal: memoryJournal(),
    }),
  )
  if (journal !== undefined) await storeRunOfB(journal, b.run)
  const reuse = recorded.report()
  return {
    run: { a: factsOf(a), b: factsOf(b), reuse },
    calls: addEvalCalls(a.calls, b.calls),
  }
}

/**
 * Stores the run of workflow B in the journal. Its id is the id of the run of workflow A with the
 * suffix `~b`.
 */
async function storeRunOfB(journal: Journal, { stored, runId, status }: CaseRun): Promise<void> {
  if (stored === null) return
  const { header, records } = stored
  const ownId = `${runId}~b`
  const at = records.at(-1)?.[3] ?? header.at
  await storeRun(
    journal,
    { header: { ...header, runId: ownId }, records },
    { status, pending: [], at },
  )
}

const factsOf = ({ scored, run }: EvaluatedRun): ComparedRun["a"] => ({
  scored,
  turns: run.turns,
  starts: run.starts,
})

function comparisonReport(
  [chartA, chartB]: BothCharts,
  sets: readonly PlannedSet[],
  resultOf: (setIndex: number, caseIndex: number) => EvaluatedCase<ComparedCase> | null,
  about: Pick<ComparisonReport, "repeat" | "duration" | "warnings">,
): ComparisonReport {
  const collected = collectCases(sets, resultOf)
  const summary = comparisonSummary(collected.results)
  return {
    version: 1,
    agents: { a: chartA.id, b: chartB.id },
    fingerprints: { a: chartA.fingerprint, b: chartB.fingerprint },
    repeat: about.repeat,
    duration: about.duration,
    sets: collected.sets,
    summary,
    calls: collected.calls,
    warnings: [...about.warnings, ...collected.warnings],
    errors: [],
    exitCode: comparisonExitCode(summary, collected.results),
  }
}

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CaseInFile, CriterionCheck, Criterion } from "../criteria/criterion.js"
import { readCriteria } from "../criteria/read-criterion.js"
import { type EvalConfig, withoutReplaced } from "../config/eval-config.js"
import type { EvalCase, EvalSet } from "../eval-set/eval-set.js"
import type { EvaluationProblem } from "../reading/problem.js"
import { mistakesOf } from "../reading/problem.js"

/** A test case with the criteria that score it. */
export interface PlannedCase {
  readonly evalCase: EvalCase
  /**
   * Criteria of the config, followed by the criteria of the case. A criterion of the case replaces
   * a criterion of the config with the same name.
   */
  readonly criteria: readonly Criterion[]
}

export interface PlannedSet {
  readonly file: string
  readonly evalSetId: string
  readonly cases: readonly PlannedCase[]
}

export interface ConfiguredSet {
  readonly set: EvalSet
  readonly config: EvalConfig
}

export interface PlanOptions {
  /** Charts of the evaluated workflows. A comparison has two charts. */
  readonly charts: readonly AgentChart[]
  /** Reason why some calls have no price, as text for a message. Null if all calls have a price. */
  readonly unpriced: string | null
  /** Returns whether the services of the evaluation provide this judge model. */
  readonly servesJudge: (model: string) => boolean
  /**
   * Name of the model that judges responses for all criteria. False skips all criteria that need a
   * judge.
   */
  readonly judge?: string | false
  /** Problems that were found before planning. They are added to the problems of the plan. */
  readonly problems?: readonly EvaluationProblem[]
}

/**
 * Determines which criteria score each test case. Reports all mistakes that can be found only with
 * the workflow, such as unknown agent names.
 */
export function planEvaluation(
  sets: readonly ConfiguredSet[],
  options: PlanOptions,
): { readonly sets: readonly PlannedSet[]; readonly problems: readonly EvaluationProblem[] } {
  const problems: EvaluationProblem[] = [...(options.problems ?? [])]
  const planned = sets.map((configured) => planSet(configured, problems))
  const context: Omit<CriterionCheck, "cases"> = {
    charts: options.charts,
    unpriced: options.unpriced,
    report: (file, code, pointer, message, fix) =>
      problems.push({ code, message, file, at: pointer, fix }),
  }
  for (const [criterion, cases] of casesByCriterion(planned, sets)) {
    criterion.scorer.check?.({ ...context, cases })
    checkJudge(criterion, options, context)
  }
  if (problems.length === 0 && planned.every(({ cases }) => cases.length === 0))
    problems.push({
      code: "nothing_to_evaluate",
      message: "the eval sets contain no case to evaluate",
      file: planned[0]?.file ?? "",
      fix: "Pass an eval set with at least one case.",
    })
  return { sets: planned, problems }
}

/** Determines which criteria score each test case of an eval set. */
function planSet({ set, config }: ConfiguredSet, problems: EvaluationProblem[]): PlannedSet {
  const { file, evalSetId } = set
  const mistakes = mistakesOf(file)
  const cases = set.cases.map((evalCase) => ({
    evalCase,
    criteria: withoutReplaced([
      ...config.criteria,
      ...(evalCase.criteria === null
        ? []
        : readCriteria(evalCase.criteria, config.customMetrics, mistakes)),
    ]),
  }))
  problems.push(...mistakes.all)
  return { file, evalSetId, cases }
}

/**
 * Returns the names of all judge models in eval sets and configs. The caller opens the services of
 * these models.
 */
export const judgeModelsIn = (sets: readonly ConfiguredSet[]): readonly string[] => [
  ...new Set(
    sets.flatMap((configured) =>
      planSet(configured, []).cases.flatMap(({ criteria }) =>
        criteria.flatMap(({ scorer }) => scorer.judgeModel ?? []),
      ),
    ),
  ),
]

/**
 * Returns for each criterion the test cases that the criterion scores. The array is empty if the
 * criterion scores no case.
 */
function casesByCriterion(
  planned: readonly PlannedSet[],
  sets: readonly ConfiguredSet[],
): ReadonlyMap<Criterion, readonly CaseInFile[]> {
  const found = new Map<Criterion, CaseInFile[]>(
    sets.flatMap(({ config }) => config.criteria.map((criterion) => [criterion, []])),
  )
  for (const { file, cases } of planned)
    for (const { evalCase, criteria } of cases)
      for (const criterion of criteria) {
        const list = found.get(criterion)
        if (list === undefined) found.set(criterion, [{ file, evalCase }])
        else list.push({ file, evalCase })
      }
  return found
}

function checkJudge(
  { name, file, pointer, scorer }: Criterion,
  { judge, servesJudge }: PlanOptions,
  { report }: Pick<CriterionCheck, "report">,
): void {
  if (scorer.judgeModel === undefined || judge === false) return
  const model = judge ?? scorer.judgeModel
  if (servesJudge(model)) return
  report(
    file,
    "model_missing",
    `${pointer}/judge_model_options/judge_model`,
    `no service serves the judge model ${JSON.stringify(model)} of ${name}`,
    "Name another model with --judge, register the model, or pass --no-judge.",
  )
}

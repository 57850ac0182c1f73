import { AgentStatechartsError } from "../errors.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import { systemClock } from "../runtime/index.js"
import { priceFunction, unpricedAgent } from "../runtime/host/token-prices.js"
import type { EvaluationOptions } from "./cases/evaluation-options.js"
import type { EvaluationServices } from "./cases/evaluation-services.js"
import { runCases } from "./cases/run-cases.js"
import { defaultEvalConfig, type EvalConfig } from "./config/eval-config.js"
import type { EvalSet } from "./eval-set/eval-set.js"
import { type ConfiguredSet, type PlannedSet, planEvaluation } from "./plan/plan-evaluation.js"
import type { EvaluationProblem } from "./reading/problem.js"
import { buildReport } from "./report/build-report.js"
import type { EvaluationReport } from "./report/report.js"

/** Options of `evaluate`, which runs and scores the cases of eval sets. */
export interface EvaluateOptions extends EvaluationOptions {
  readonly sets: readonly EvalSet[]
  /** Criteria that score the cases. Default: the criteria that ADK uses if no config exists. */
  readonly config?: EvalConfig
}

/** Thrown if an evaluation cannot start. `problems` contains all problems that were found. */
export class EvaluationInvalidError extends AgentStatechartsError {
  override readonly name = "EvaluationInvalidError"
  readonly problems: readonly EvaluationProblem[]

  constructor(problems: readonly EvaluationProblem[]) {
    super(
      "evaluation_invalid",
      problems
        .map(({ file, at, message, fix }) => `${file}${at ?? ""}: ${message}. ${fix ?? ""}`.trim())
        .join("\n"),
    )
    this.problems = problems
  }
}

/**
 * Runs all cases of the eval sets and returns a report with their scores.
 *
 * @example
 * const { set } = readEvalSet(text, { file: "orders.evalset.json" })
 * const report = await evaluate(chart, { sets: [set], services: { http: createHttpServices() } })
 * console.log(report.summary)
 *
 * @throws AgentStatechartsError `evaluation_invalid` with all problems if a criterion does not fit
 * the chart or the services
 */
export async function evaluate(
  chart: AgentChart,
  { sets, config = defaultEvalConfig(), ...options }: EvaluateOptions,
): Promise<EvaluationReport> {
  return evaluateSets(
    chart,
    sets.map((set) => ({ set, config })),
    options,
  )
}

/**
 * Runs and scores the cases of eval sets that have different configs. `problems` contains mistakes
 * that were found earlier, for example while the files were read. They prevent the evaluation from
 * starting.
 */
export async function evaluateSets(
  chart: AgentChart,
  sets: readonly ConfiguredSet[],
  options: EvaluationOptions,
  problems: readonly EvaluationProblem[] = [],
): Promise<EvaluationReport> {
  const startedAt = systemClock.now()
  const [prepared] = await preparedEvaluation(sets, problems, [{ chart, options }])
  const cases = await runCases(chart, prepared.plan, prepared.options)
  return buildReport(chart, prepared.plan, cases, {
    repeat: options.repeat ?? 1,
    duration: (systemClock.now() - startedAt) / 1000,
    metrics: options.metrics ?? {},
  })
}

/** A workflow to evaluate, with the options for its runs. */
interface EvaluatedWorkflow {
  readonly chart: AgentChart
  readonly options: EvaluationOptions
}

/**
 * The cases to run with a workflow, and the evaluation options. If the model of each agent has a
 * price in the options, the services contain these prices.
 */
interface PreparedEvaluation {
  readonly plan: readonly PlannedSet[]
  readonly options: EvaluationOptions
}

/**
 * Validates the evaluation of one or two workflows and returns its plan. The plan contains the
 * cases to run and their criteria. Does not call models or tools.
 *
 * @throws EvaluationInvalidError
 */
export async function preparedEvaluation<Workflows extends readonly EvaluatedWorkflow[]>(
  sets: readonly ConfiguredSet[],
  problems: readonly EvaluationProblem[],
  workflows: readonly [...Workflows],
): Promise<{ readonly [Index in keyof Workflows]: PreparedEvaluation }> {
  const prepared = await Promise.all(
    workflows.map(async ({ chart, options }) => {
      const priced = withPrices(options, chart)
      const { models = {}, judge, ...services } = await probe(sets, priced)
      return {
        options: priced,
        unpriced: unpriced(options, services, chart),
        servesJudge: (model: string) => judge !== undefined || Object.hasOwn(models, model),
      }
    }),
  )
  const judge = workflows[0]?.options.judge
  const plan = planEvaluation(sets, {
    charts: workflows.map(({ chart }) => chart),
    unpriced: prepared.find((one) => one.unpriced !== null)?.unpriced ?? null,
    servesJudge: (model) => prepared.every(({ servesJudge }) => servesJudge(model)),
    ...(judge !== undefined && { judge }),
    problems,
  })
  if (plan.problems.length > 0) throw new EvaluationInvalidError(plan.problems)
  // The assertion is safe: `prepared` contains one entry for each workflow.
  return prepared.map(({ options }) => ({ plan: plan.sets, options })) as {
    readonly [Index in keyof Workflows]: PreparedEvaluation
  }
}

/**
 * Adds the token prices in the options to the services of all runs. Returns the options unchanged
 * if they contain no prices, or if the model of an agent has no price.
 */
function withPrices(options: EvaluationOptions, chart: AgentChart): EvaluationOptions {
  const { prices, services } = options
  if (prices === undefined || unpricedAgent(prices, chart) !== null) return options
  const priceOf = priceFunction(prices)
  return {
    ...options,
    services:
      typeof services === "function"
        ? async (...about) => ({ ...(await services(...about)), priceOf })
        : { ...services, priceOf },
  }
}

/**
 * Returns the services of the first case, without making calls. The caller checks which models
 * these services contain and whether they have prices.
 */
async function probe(
  sets: readonly ConfiguredSet[],
  { services }: EvaluationOptions,
): Promise<EvaluationServices> {
  if (typeof services !== "function") return services
  const [first] = sets.flatMap(({ set }) =>
    set.cases
      .filter(({ needsSimulatedUser, turns }) => !needsSimulatedUser && turns.length > 0)
      .map(({ evalId }) => ({ evalId, set })),
  )
  if (first === undefined) return {}
  const opened = await services(first.evalId, 0, first.set.evalSetId)
  await opened.close?.()
  return opened
}

/**
 * Returns a message text that explains why some calls have no price. Returns null if all calls have
 * a price.
 */
function unpriced(
  { prices }: EvaluationOptions,
  { priceOf }: EvaluationServices,
  chart: AgentChart,
): string | null {
  if (prices === undefined) return priceOf === undefined ? "no prices are given" : null
  const agent = unpricedAgent(prices, chart)
  return agent === null
    ? null
    : `agent ${JSON.stringify(agent.id)} ${agent.model === null ? "names no model" : `has the model ${JSON.stringify(agent.model)}, which has no price`}`
}

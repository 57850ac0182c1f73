import { thrownMessage } from "../../errors.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CriterionScore, CustomMetricTurn, Scorer, ScoringInput } from "./criterion.js"

/**
 * Creates the scorer of a custom metric. The score comes from a function that the services module
 * exports in `metrics` under the name `functionName`.
 */
export const customMetric = (name: string, functionName: string): Scorer => ({
  unsupported: ({ metrics }) =>
    Object.hasOwn(metrics, functionName)
      ? null
      : `no function ${JSON.stringify(functionName)} is registered for this metric. Export it in metrics of the --services module.`,
  async score(input) {
    const metric = Object.hasOwn(input.metrics, functionName)
      ? input.metrics[functionName]
      : undefined
    if (metric === undefined) return { score: null, details: [] }
    try {
      return readScore(
        await metric({
          evalId: input.evalCase.evalId,
          criterion: name,
          invocations: turnsOf(input),
        }),
      )
    } catch (error) {
      return failed(`it threw an error: ${thrownMessage(error)}`)
    }
  },
})

const turnsOf = ({ evalCase, run }: ScoringInput): readonly CustomMetricTurn[] =>
  evalCase.turns.map(({ userText, reference, expectedCalls }, index) => {
    const turn = run.turns[index]
    return {
      user: userText,
      reference: reference ?? "",
      expectedCalls: expectedCalls.map(({ name, args }) => ({ name, args })),
      happened: turn !== undefined,
      text: turn?.text ?? "",
      calls: (turn?.calls ?? []).map(({ name, args }) => ({ name, args })),
      state: turn?.state ?? {},
    }
  })

const failed = (metricFailure: string): CriterionScore => ({
  score: null,
  details: [],
  metricFailure,
})

function readScore(result: unknown): CriterionScore {
  if (!isJsonObject(result)) return failed("it did not return an object { score, perInvocation? }")
  const { score, perInvocation } = result
  if (!isScore(score)) return failed(`its score is not a finite number or null`)
  if (perInvocation === undefined || perInvocation === null) return { score, details: [] }
  if (!Array.isArray(perInvocation) || !perInvocation.every(isScore))
    return failed("its perInvocation is not a list of finite numbers or null")
  return { score, perTurn: perInvocation, details: [] }
}

const isScore = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && Number.isFinite(value))

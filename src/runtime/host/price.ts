import type { Envelope, ModelAnswer, ModelRequest } from "../../machines/contract/services.js"
import type { TokenUsage } from "../../machines/contract/budget.js"

/**
 * Returns the cost of a model call: a number, 0 or greater, in the same currency as `maxCost` in
 * the budget.
 */
export type PriceOf = (call: {
  readonly model: string | null
  readonly agent: string
  readonly usage: TokenUsage
}) => number

/**
 * Adds the cost of a model call to its response. If `priceOf` throws or returns an invalid price,
 * the call fails, because budgets cannot be enforced without the cost. `at` is in milliseconds
 * since the epoch.
 */
export function priced(
  answer: ModelAnswer,
  { model, agent }: Pick<ModelRequest, "model" | "agent">,
  at: number,
  { priceOf }: { readonly priceOf?: PriceOf },
): Envelope<ModelAnswer> {
  const { usage } = answer
  if (priceOf === undefined || usage === null) return { ok: true, value: answer, at }
  const cost = priceFrom(() => priceOf({ model, agent, usage }))
  if (typeof cost === "number")
    return { ok: true, value: { ...answer, usage: { ...usage, cost } }, at }
  return {
    ok: false,
    error: {
      code: "model_call_failed",
      message: `agent "${agent}": the function priceOf ${cost.problem}`,
      retryable: false,
    },
    at,
  }
}

function priceFrom(compute: () => unknown): number | { readonly problem: string } {
  try {
    const cost = compute()
    return typeof cost === "number" && Number.isFinite(cost) && cost >= 0
      ? cost
      : { problem: `returned ${String(cost)}, which is not a price. Return a number, 0 or greater` }
  } catch (error) {
    return { problem: `threw an error: ${error instanceof Error ? error.message : String(error)}` }
  }
}

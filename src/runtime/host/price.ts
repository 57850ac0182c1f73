import type { Envelope, ModelAnswer, ModelRequest } from "../../machines/contract/services.js"
import type { TokenUsage } from "../../machines/contract/budget.js"

/** In any unit, the same as in `maxCost`; 0 or more. */
export type PriceOf = (call: {
  readonly model: string | null
  readonly agent: string
  readonly usage: TokenUsage
}) => number

/** The answer with its cost. A price that is none fails the call: a budget that is not kept would be worse. */
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
      message: `agent "${agent}": priceOf ${cost.problem}`,
      retryable: false,
    },
    at,
  }
}

function priceFrom(ask: () => unknown): number | { readonly problem: string } {
  try {
    const cost = ask()
    return typeof cost === "number" && Number.isFinite(cost) && cost >= 0
      ? cost
      : { problem: `returned ${String(cost)}, which is not a price. Return a number, 0 or greater` }
  } catch (error) {
    return { problem: `threw an error: ${error instanceof Error ? error.message : String(error)}` }
  }
}

import type { AgentDefinition } from "../machines/contract/agent-definition.js"

/**
 * Prices of model calls, by model name, or by URL for agents with an endpoint. The key `"*"` sets
 * the price of all other models.
 */
export type PriceList = Readonly<Record<string, Price>>

/**
 * The price of a model call. It is either a fixed price per call, or separate prices per million
 * input tokens and output tokens. Token prices can include the maximum number of tokens of a call.
 * `maxInputTokens` is needed for upper bounds, because only the model's context window limits its
 * input. All prices must use the same currency.
 */
export type Price =
  | { readonly perCall: number }
  | {
      readonly input: number
      readonly output: number
      readonly maxInputTokens?: number | undefined
      readonly maxOutputTokens?: number | undefined
    }

/**
 * Returns the price of one call of an agent's own model or, if `other` is set, of the model with
 * this name. Returns null if the price list does not contain the price.
 */
export function priceFor(
  definition: AgentDefinition | undefined,
  prices: PriceList,
  other?: string,
): Price | null {
  if (definition?.type !== "LlmAgent") return null
  const names = other === undefined ? [definition.model, definition.endpoint?.url] : [other]
  const name = [...names, "*"].find((each) => each != null && Object.hasOwn(prices, each))
  return name == null ? null : (prices[name] ?? null)
}

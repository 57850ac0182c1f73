import type { AgentDefinition } from "../machines/contract/agent-definition.js"

/**
 * Prices by model name. For agents with an endpoint, the key is the URL. The key `"*"` sets the
 * price of all other models.
 */
export type PriceList = Readonly<Record<string, Price>>

/**
 * The price of a model call: a fixed price per call, or prices per million tokens together with the
 * maximum number of tokens of a call. `maxInputTokens` is needed because only the model's context
 * limits its input. You can use any currency, but must use the same one for all prices.
 */
export type Price =
  | { readonly perCall: number }
  | {
      readonly input: number
      readonly output: number
      readonly maxInputTokens?: number | undefined
      readonly maxOutputTokens?: number | undefined
    }

/** Returns the price of the model calls of an agent, or null if the list does not contain it. */
export function priceFor(definition: AgentDefinition | undefined, prices: PriceList): Price | null {
  if (definition?.type !== "LlmAgent") return null
  const name = [definition.model, definition.endpoint?.url, "*"].find(
    (each) => each != null && Object.hasOwn(prices, each),
  )
  return name == null ? null : (prices[name] ?? null)
}

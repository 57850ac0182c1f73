import type { AgentChart } from "../../machines/contract/agent-chart.js"

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

/**
 * Returns the maximum price of one model call of an agent. The price includes retries, because a
 * response that cannot be parsed is also paid. Returns null if a price or a number of tokens is
 * unknown.
 */
export function priceOfCall(agent: string, chart: AgentChart, prices: PriceList): number | null {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return null
  const name = [definition.model, definition.endpoint?.url, "*"].find(
    (each) => each != null && Object.hasOwn(prices, each),
  )
  const price = name == null ? undefined : prices[name]
  if (price === undefined) return null
  const attempts = definition.activity.maximumAttempts
  if ("perCall" in price) return attempts * price.perCall
  const { input, output, maxInputTokens, maxOutputTokens } = price
  const limits = [maxOutputTokens, ownLimit(definition.adk?.generateContentConfig)].filter(
    (limit) => limit !== undefined,
  )
  if (maxInputTokens === undefined || limits.length === 0) return null
  return (attempts * (maxInputTokens * input + Math.min(...limits) * output)) / 1_000_000
}

/** Returns the output limit in the agent's own generation settings, in tokens. */
function ownLimit(
  config: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const tokens = config?.["maxOutputTokens"] ?? config?.["max_output_tokens"]
  return typeof tokens === "number" && tokens >= 0 ? tokens : undefined
}

import type { AgentChart } from "../../machines/contract/agent-chart.js"

/**
 * Prices by model name, or by URL for agents with an endpoint. `"*"` applies to all other models.
 */
export type PriceList = Readonly<Record<string, Price>>

/**
 * A price for one call, or prices for one million tokens with the maximum number of tokens of a
 * call. Only the context of the model limits its input, so `maxInputTokens` is needed for a bound.
 * The currency is up to you, but must be the same everywhere.
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
 * Returns the maximum price of one model call of an agent, including retries: a response that
 * cannot be parsed is paid too. Returns null if a price or a number of tokens is unknown.
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

/** Returns the output limit that the agent itself configures, in tokens. */
function ownLimit(
  config: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const tokens = config?.["maxOutputTokens"] ?? config?.["max_output_tokens"]
  return typeof tokens === "number" && tokens >= 0 ? tokens : undefined
}

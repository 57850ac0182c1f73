import type { AgentChart } from "../../machines/contract/agent-chart.js"

/** What a model costs, by the name of the model or, where an agent calls an endpoint, by its URL; `"*"` is every other. */
export type PriceList = Readonly<Record<string, Price>>

/**
 * Either so much for one call, or prices of a million tokens and how many tokens a call may have at most: what is sent is bounded only by
 * the model's context, so the price list has to say it. In any unit, the same throughout.
 */
export type Price =
  | { readonly perCall: number }
  | {
      readonly input: number
      readonly output: number
      readonly maxInputTokens?: number | undefined
      readonly maxOutputTokens?: number | undefined
    }

/** The most that one call of an agent's model can cost, with all its attempts: an answer that could not be read is paid as well. null where no price, or no number of tokens, is known. */
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

/** The agent's own limit on what its model writes. */
function ownLimit(
  config: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const tokens = config?.["maxOutputTokens"] ?? config?.["max_output_tokens"]
  return typeof tokens === "number" && tokens >= 0 ? tokens : undefined
}

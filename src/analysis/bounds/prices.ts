import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { alternativesOf } from "../../machines/model-call/agent-models.js"
import type { PriceList } from "../../policies/price-list.js"
import { priceFor } from "../../policies/price-list.js"

/**
 * Returns the maximum price of one model call of an agent, including all retries, because you also
 * pay for a response that cannot be parsed. `other` is the name of a fallback or routed model. If
 * it is not set, the agent's own model is used. Returns null if a price or a number of tokens is
 * unknown.
 */
export function priceOfCall(
  agent: string,
  chart: AgentChart,
  prices: PriceList,
  other?: string,
): number | null {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return null
  const price = priceFor(definition, prices, other)
  if (price === null) return null
  const attempts = definition.activity.maximumAttempts
  if ("perCall" in price) return attempts * price.perCall
  const { input, output, maxInputTokens, maxOutputTokens } = price
  const limits = [maxOutputTokens, ownLimit(definition.adk?.generateContentConfig)].filter(
    (limit) => limit !== undefined,
  )
  if (maxInputTokens === undefined || limits.length === 0) return null
  return (attempts * (maxInputTokens * input + Math.min(...limits) * output)) / 1_000_000
}

/**
 * Returns the maximum price of one call of any model of an agent, including its fallback models.
 * Returns Infinity if a price is unknown.
 */
export function highestPriceOf(agent: string, chart: AgentChart, prices: PriceList): number {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  const others = definition?.type === "LlmAgent" ? alternativesOf(definition) : []
  const models = [undefined, ...others.map(({ model }) => model)]
  return Math.max(
    ...models.map((model) => priceOfCall(agent, chart, prices, model) ?? Number.POSITIVE_INFINITY),
  )
}

/**
 * Returns the maximum number of output tokens from an agent's `generateContentConfig`. Returns
 * undefined if it has none.
 */
function ownLimit(
  config: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const tokens = config?.["maxOutputTokens"] ?? config?.["max_output_tokens"]
  return typeof tokens === "number" && tokens >= 0 ? tokens : undefined
}

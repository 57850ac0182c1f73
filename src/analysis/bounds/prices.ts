import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PriceList } from "../../policies/price-list.js"
import { priceFor } from "../../policies/price-list.js"

/**
 * Returns the maximum price of one model call of an agent, including retries, because you also pay
 * for a response that cannot be parsed. Returns null if a price or a number of tokens is unknown.
 */
export function priceOfCall(agent: string, chart: AgentChart, prices: PriceList): number | null {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return null
  const price = priceFor(definition, prices)
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

/** Returns the maximum number of output tokens in the agent's own generation settings. */
function ownLimit(
  config: Readonly<Record<string, unknown>> | null | undefined,
): number | undefined {
  const tokens = config?.["maxOutputTokens"] ?? config?.["max_output_tokens"]
  return typeof tokens === "number" && tokens >= 0 ? tokens : undefined
}

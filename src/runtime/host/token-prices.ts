import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { PriceOf } from "./price.js"

/**
 * Prices of one million input tokens and of one million output tokens, by model name. The prices of
 * the key `*` apply to all other models and to agents without a model name.
 */
export type TokenPrices = Readonly<
  Record<string, { readonly input: number; readonly output: number }>
>

/**
 * Creates a function for the option `priceOf` from a list of token prices. For a model without a
 * price, the function returns NaN.
 */
export function priceFunction(prices: TokenPrices): PriceOf {
  const byModel = new Map(Object.entries(prices))
  const others = byModel.get("*")
  return ({ model, usage }) => {
    const { input, output } = (model === null ? undefined : byModel.get(model)) ??
      others ?? { input: Number.NaN, output: Number.NaN }
    return (usage.inputTokens * input + usage.outputTokens * output) / 1_000_000
  }
}

/**
 * Returns the first agent that uses a model without a price, with the name of this model. The name
 * is null if the agent has no model name. Returns null if all models have a price. Used to reject
 * incomplete price lists, because a partial cost would be misleading.
 */
export function unpricedAgent(
  prices: TokenPrices,
  { agents }: Pick<AgentChart, "agents">,
): { readonly id: string; readonly model: string | null } | null {
  if (Object.hasOwn(prices, "*")) return null
  for (const [id, agent] of Object.entries(agents))
    if (agent.type === "LlmAgent") {
      const { model } = agent
      const unpriced = modelsOf(agent).find((name) => !Object.hasOwn(prices, name))
      if (model === null || unpriced !== undefined) return { id, model: unpriced ?? model }
    }
  return null
}

import * as z from "zod"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PriceOf } from "../../runtime/host/price.js"
import { priceFunction, type TokenPrices, unpricedAgent } from "../../runtime/host/token-prices.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

const amount = z.number().min(0)

/** Prices of a model. The token limits per call are used only for the cost bounds of `check`. */
export const tokenPrice = z.strictObject({
  input: amount,
  output: amount,
  maxInputTokens: amount.optional(),
  maxOutputTokens: amount.optional(),
})

/**
 * Prices per million tokens, by model name. `*` applies to models that are not listed and to agents
 * without a model name.
 */
const priceList = z.record(z.string(), tokenPrice)

/** Reads a file with prices per token. */
export async function readTokenPrices(file: string): Promise<TokenPrices> {
  const read = priceList.safeParse(await readJson(file, "list of prices"))
  if (!read.success) {
    throw new UsageProblem(
      `${file} is not a valid price file: ${z.prettifyError(read.error).replaceAll("\n", " ")}. Write the price of a million tokens for each model, such as {"openai:gpt-5": {"input": 1.25, "output": 10}, "*": {"input": 1, "output": 5}}`,
    )
  }
  return read.data
}

/**
 * Reads a price file and returns a function `priceOf`. Throws a usage error if a model of the chart
 * has no price, because a partial cost would be misleading.
 */
export async function readPrices(
  file: string,
  chart: Pick<AgentChart, "agents">,
): Promise<PriceOf> {
  const prices = await readTokenPrices(file)
  const unpriced = unpricedAgent(prices, chart)
  if (unpriced !== null) {
    const { id, model } = unpriced
    throw new UsageProblem(
      `${file} has no price for ${model === null ? `agent "${id}", which names no model` : `the model "${model}" of agent "${id}"`}. Add ${model === null ? "" : `"${model}" or `}"*", which applies to all other models.`,
    )
  }
  return priceFunction(prices)
}

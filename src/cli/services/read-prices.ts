import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PriceOf } from "../../runtime/host/price.js"
import { priceFunction, type TokenPrices, unpricedAgent } from "../../runtime/host/token-prices.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Reads and validates a JSON file with model prices per million tokens. */
export async function readTokenPrices(file: string): Promise<TokenPrices> {
  // zod is loaded only for commands with a price file.
  const { describeProblems, tokenPrices } = await import("./price-schemas.js")
  const read = tokenPrices.safeParse(await readJson(file, "list of prices"))
  if (!read.success) {
    throw new UsageProblem(
      `${file} is not a valid price file: ${describeProblems(read.error)}. Write the price of a million tokens for each model, such as {"openai:gpt-5": {"input": 1.25, "output": 10}, "*": {"input": 1, "output": 5}}`,
    )
  }
  return read.data
}

/**
 * Reads a price file and returns the function `priceOf`, which calculates the price of a call.
 * Throws a usage error if a model of the chart has no price, because a partial cost would be
 * misleading.
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

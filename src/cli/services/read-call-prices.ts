import type { PriceList } from "../../analysis/index.js"
import { readJson } from "../files/read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

/**
 * Reads the `--prices` file for the cost bounds and policies of `check`. A price is either per
 * million tokens or a fixed price per call (`perCall`).
 */
export async function readCallPrices(file: string): Promise<PriceList> {
  // zod is loaded only for commands with a price file.
  const { callPrices } = await import("./price-schemas.js")
  const read = callPrices.safeParse(await readJson(file, "list of prices"))
  if (read.success) return read.data
  const wrong = [
    ...new Set(
      read.error.issues.map(({ path }) =>
        path[0] === undefined ? "the list itself" : JSON.stringify(path[0]),
      ),
    ),
  ]
  throw new UsageProblem(
    `${file} is not a valid price file. Invalid: ${wrong.join(", ")}. The key of a price is the name of a model, a URL or "*". Its value is the price of a million tokens, such as {"input": 0.3, "output": 2.5, "maxInputTokens": 100000, "maxOutputTokens": 8000}, or of a call, such as {"perCall": 0.01}.`,
  )
}

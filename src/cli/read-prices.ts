import * as z from "zod"
import type { PriceList } from "../analysis/index.js"
import { readJson } from "./read-source.js"
import { UsageProblem } from "./usage-problem.js"

const amount = z.number().min(0)
const price = z.union([
  z.strictObject({ perCall: amount }),
  z.strictObject({ input: amount, output: amount, maxInputTokens: amount, maxOutputTokens: amount }),
])

/** The file of `--prices`. */
export async function readPrices(file: string): Promise<PriceList> {
  const parsed = z.record(z.string(), price).safeParse(await readJson(file, "price list"))
  if (parsed.success) return parsed.data
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => (path[0] === undefined ? "the list itself" : JSON.stringify(path[0]))))]
  throw new UsageProblem(
    `the price list ${file} cannot be used: see ${wrong.join(", ")}. A price is {"perCall": 0.01}, or {"input": 0.3, "output": 2.5, "maxInputTokens": 100000, "maxOutputTokens": 8000} with prices of a million tokens, under the name of a model, a URL, or "*".`,
  )
}

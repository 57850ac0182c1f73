import * as z from "zod"

const amount = z.number().min(0)

/** Prices of a model. The token limits per call are used only for the cost bounds of `check`. */
const tokenPrice = z.strictObject({
  input: amount,
  output: amount,
  maxInputTokens: amount.optional(),
  maxOutputTokens: amount.optional(),
})

/**
 * Prices per million tokens, by model name. `*` applies to models that are not listed and to agents
 * without a model name.
 */
export const tokenPrices = z.record(z.string(), tokenPrice)

/** Prices per million tokens, or fixed prices per call, by the name of a model, a URL or `*`. */
export const callPrices = z.record(
  z.string(),
  z.union([tokenPrice, z.strictObject({ perCall: amount })]),
)

export const describeProblems = (error: z.ZodError): string =>
  z.prettifyError(error).replaceAll("\n", " ")

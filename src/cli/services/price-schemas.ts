import * as z from "zod"

const amount = z.number().min(0)

/**
 * Prices of a model per million tokens. Only the cost bounds of `check` use the token limits per
 * call.
 */
const tokenPrice = z.strictObject({
  input: amount,
  output: amount,
  maxInputTokens: amount.optional(),
  maxOutputTokens: amount.optional(),
})

/**
 * Prices per million tokens, by model name. The name `*` applies to all models that are not listed,
 * and to agents without a model name.
 */
export const tokenPrices = z.record(z.string(), tokenPrice)

/** Prices per million tokens, or fixed prices per call, by model name, URL or `*`. */
export const callPrices = z.record(
  z.string(),
  z.union([tokenPrice, z.strictObject({ perCall: amount })]),
)

export const describeProblems = (error: z.ZodError): string =>
  z.prettifyError(error).replaceAll("\n", " ")

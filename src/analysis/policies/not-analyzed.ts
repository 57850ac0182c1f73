import type { PolicyReason } from "./policy-result.js"

/** Returns the reason for a construct that the checker does not support. */
export const notAnalyzed = (construct: string): PolicyReason => ({
  code: "not_analyzed",
  message: `The checker does not support ${construct} yet.`,
  fix: "Check the other parts as workflows of their own, or use --allow-unknown.",
})

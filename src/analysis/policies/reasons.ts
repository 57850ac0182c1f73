import type { PolicyReason } from "./policy-result.js"

/** Returns the reason for a construct that the checker does not support. */
export const notAnalyzed = (construct: string): PolicyReason => ({
  code: "not_analyzed",
  message: `The checker does not support ${construct} yet.`,
  fix: "Check the other parts as workflows of their own, or use --allow-unknown.",
})

/** Returns the reason for a toolset whose tools are not known. */
export const undeclaredToolset = (toolset: string, capability: string): PolicyReason => ({
  code: "undeclared_toolset",
  toolset,
  message: `The tools of the toolset "${toolset}" are not declared. It could ${capability}.`,
  fix: `Declare them in the policy file: toolsets: { ${toolset}: { lists: [...] } }, or set toolFilter on the toolset.`,
})

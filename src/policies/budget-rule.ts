import type { NamePattern } from "./atom.js"
import type { Rule } from "./policy.js"

/**
 * Returns a rule that allows at most `most` model calls, counting only models whose name matches.
 */
export const modelCallRule = (models: NamePattern, most: number): Rule => ({
  pattern: "atMost",
  most,
  of: [
    {
      kind: "model",
      names: models,
      by: null,
      inside: null,
      except: [],
      approved: null,
      outcomes: [],
      equals: null,
    },
  ],
})

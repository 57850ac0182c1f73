import type { NamePattern } from "./atom.js"
import type { Rule } from "./policy.js"

/**
 * Returns a policy rule that allows at most `most` model calls in a run. Only calls of models whose
 * name matches `models` are counted.
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

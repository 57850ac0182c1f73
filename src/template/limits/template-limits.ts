/**
 * Limits for parsing and evaluating `{{ }}` templates. Templates come from workflow files, which
 * may be untrusted, so their work must be bounded.
 */
export interface TemplateLimits {
  /**
   * Maximum units of work to evaluate all templates of one call. A unit takes about one
   * microsecond.
   */
  readonly work: number
  /**
   * Number of units of work after which the evaluation pauses, so that the event loop can run other
   * tasks.
   */
  readonly slice: number
  /** Maximum nesting depth of function calls in a template expression. */
  readonly stack: number
  /** Maximum number of entries in a list that a template expression creates. */
  readonly sequence: number
  /**
   * Maximum size of one value. The size is the number of characters in all texts and keys of its
   * JSON, plus one for each value.
   */
  readonly size: number
  /** Maximum number of regex engine steps that one search may need in the worst case. */
  readonly regexSteps: number
  /** Maximum length of one template expression, in characters. */
  readonly source: number
  /**
   * Maximum number of path steps in one template expression. JSONata's parser takes quadratic time
   * for path steps.
   */
  readonly pathSteps: number
  /**
   * Maximum units of work to parse all templates of one config or of one request. Each character is
   * one unit. A template with `steps` path steps needs `steps ** 2 / 4` more units.
   */
  readonly parsing: number
}

export const templateLimits: TemplateLimits = {
  work: 300_000,
  slice: 5_000,
  stack: 500,
  sequence: 10_000,
  size: 2_000_000,
  regexSteps: 20_000_000,
  source: 10_000,
  pathSteps: 250,
  parsing: 150_000,
}

/**
 * Limits for templates. They come from workflow files, so their work must be bounded like that of
 * any other input.
 */
export interface TemplateLimits {
  /** Units of work for all templates of one call. A unit takes about one microsecond. */
  readonly work: number
  /** Units of work between two pauses for the event loop. */
  readonly slice: number
  /** Maximum depth of function calls. */
  readonly stack: number
  /** Maximum number of entries in a list. */
  readonly sequence: number
  /** Maximum size of one value: the number of characters and nodes of its JSON. */
  readonly size: number
  /**
   * Maximum number of steps that one search with a regular expression may need. See `regexEngine`.
   */
  readonly regexSteps: number
  /** Maximum length of one expression, in characters. */
  readonly source: number
  /**
   * Maximum number of path steps in one expression. JSONata's parser takes quadratic time for them.
   */
  readonly pathSteps: number
  /** Units of work to parse all templates of one config, or of one request. See `ParseBudget`. */
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

/** What filling templates may cost. A template comes from a workflow file, so it has to be bounded like any other input. */
export interface TemplateLimits {
  /** Units of work for all templates of one call together. A unit takes about a microsecond. */
  readonly work: number
  /** Units of work after which other work of the process gets a turn. */
  readonly slice: number
  /** How deep calls may nest. */
  readonly stack: number
  /** How many entries a list may have. */
  readonly sequence: number
  /** How large one value may get: its characters and nodes, counted as if it were written out as JSON. */
  readonly size: number
  /** How many steps one match of a regular expression may need at worst: see `regexEngine`. */
  readonly regexSteps: number
  /** Length of one expression, in characters. */
  readonly source: number
  /** Path steps in one expression: JSONata's parser takes quadratic time for them. */
  readonly pathSteps: number
  /** Cost of parsing all templates of one config, or of one request: see `ParseBudget`. */
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

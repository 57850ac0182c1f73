/** What one expression may spend. A template comes from a workflow file, so it has to be bounded like any other input. */
export interface TemplateLimits {
  /** Wall-clock milliseconds for one expression; JSONata looks at the clock between its steps. */
  readonly timeout: number
  /** How deep calls may nest. */
  readonly stack: number
  /** How many entries a list may have. */
  readonly sequence: number
  /** How large one value may get: its characters and nodes, counted as if it were written out as JSON. */
  readonly size: number
  /** How many steps a regular expression may need at worst: see `regexEngine`. */
  readonly regexSteps: number
}

export const templateLimits: TemplateLimits = {
  timeout: 500,
  stack: 500,
  sequence: 10_000,
  size: 10_000_000,
  regexSteps: 200_000_000,
}

/**
 * Limits of a condition. Conditions can come from untrusted configs and run in loops, so all of
 * their work is limited. A condition cannot raise the limits.
 */
export const limits = {
  /** Maximum length of the source, in code points. */
  source: 4096,
  /** Maximum nesting depth of brackets, and of the syntax tree. */
  depth: 64,
  /** Maximum number of nodes in the syntax tree. */
  nodes: 2000,
  /** Maximum length of a string literal, in code points. */
  stringLiteral: 2000,
  /**
   * Maximum size, in bits, of an integer literal and of the result of a constant exponentiation or
   * shift.
   */
  integerBits: 4096,
  /** Maximum size, in bits, of the result of an exponentiation (`**`) at run time. */
  powerBits: 8192,
  /** Maximum size, in bits, of any integer that an evaluation creates. */
  resultBits: 16384,
  /** Maximum length of a string that an expression creates, in code points. */
  text: 100_000,
  /**
   * Maximum number of items in a collection that an expression creates. Most evaluations reach the
   * limit `steps` first.
   */
  collection: 200_000,
  /** Maximum number of items of a list or tuple that repeats a constant, such as `[0] * n`. */
  repetition: 10_000,
  /**
   * Maximum number of steps of one evaluation. One iteration of a loop costs about one step.
   * Operations on long strings cost more.
   */
  steps: 100_000,
  /** Maximum number of `for` clauses in one comprehension. */
  forClauses: 2,
  /** Maximum nesting depth of comprehensions. */
  comprehensionDepth: 4,
  /** Maximum number of iterations of a `range` with constant arguments. */
  staticIterations: 100_000,
  /** Maximum width of an f-string field. */
  formatWidth: 200,
  /** Maximum number of decimal places of an f-string field. */
  formatPrecision: 100,
} as const

/**
 * Limits of a condition. Conditions can come from untrusted configs and run in loops, so all of
 * their work is limited. Configs cannot raise the limits.
 */
export const limits = {
  /** Maximum length of a condition, in code points. */
  source: 4096,
  /** Maximum nesting depth of brackets in a condition, and of its syntax tree. */
  depth: 64,
  /** Maximum number of nodes in the syntax tree of a condition. */
  nodes: 2000,
  /** Maximum length of a string literal in a condition, in code points. */
  stringLiteral: 2000,
  /**
   * Maximum size, in bits, of an integer literal and of the result of a constant exponentiation or
   * shift.
   */
  integerBits: 4096,
  /** Maximum size, in bits, of the result of an exponentiation (`**`) at run time. */
  powerBits: 8192,
  /** Maximum size, in bits, of any integer that the evaluation of a condition creates. */
  resultBits: 16384,
  /** Maximum length of a string that a condition creates, in code points. */
  text: 100_000,
  /**
   * Maximum number of items in a collection that a condition creates. Most evaluations exceed the
   * limit `steps` before they reach this limit.
   */
  collection: 200_000,
  /**
   * Maximum number of items in a constant list or tuple that is repeated by a constant factor, such
   * as `[0] * 500`.
   */
  repetition: 10_000,
  /**
   * Maximum number of steps to evaluate a condition once. One iteration of a loop costs about one
   * step. Operations on long strings cost more.
   */
  steps: 100_000,
  /** Maximum number of `for` clauses in one comprehension of a condition. */
  forClauses: 2,
  /** Maximum nesting depth of comprehensions in a condition. */
  comprehensionDepth: 4,
  /** Maximum number of iterations of a `range` with constant arguments in a condition. */
  staticIterations: 100_000,
  /** Maximum width of an f-string field in a condition, in characters. */
  formatWidth: 200,
  /** Maximum number of decimal places of an f-string field in a condition. */
  formatPrecision: 100,
} as const

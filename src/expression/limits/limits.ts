/**
 * What one condition may cost. A condition is text that somebody else may have written, run again and again inside
 * a loop, so every dimension of its work has a bound; none can be raised from inside an expression.
 */
export const limits = {
  /** Length of the source, in code points. */
  source: 4096,
  /** Nesting of brackets, and of the syntax tree. */
  depth: 64,
  /** Nodes of the syntax tree. */
  nodes: 2000,
  /** Length of one string literal, in code points. */
  stringLiteral: 2000,
  /** Bits of an integer literal, and of a constant power or shift. */
  integerBits: 4096,
  /** Bits of an integer that a run-time power may make. */
  powerBits: 8192,
  /** Bits of any integer at run time. */
  resultBits: 16384,
  /** Length of a string that an expression makes, in code points. */
  text: 100_000,
  /** Length of a collection that an expression makes. The steps of work end most evaluations before. */
  collection: 200_000,
  /** Length of a list or tuple that a constant repetition makes. */
  repetition: 10_000,
  /** Units of work of one evaluation: about one for each item that is looped over, more for long strings. */
  steps: 100_000,
  /** `for` clauses in one comprehension. */
  forClauses: 2,
  /** Comprehensions inside each other. */
  comprehensionDepth: 4,
  /** Iterations that a constant `range` may ask for. */
  staticIterations: 100_000,
  /** Width of an f-string field. */
  formatWidth: 200,
  /** Digits after the point of an f-string field. */
  formatPrecision: 100,
} as const

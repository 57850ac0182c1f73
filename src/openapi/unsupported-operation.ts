/**
 * The error for an operation that cannot become a tool. The message completes the sentence `The
 * operation ... `.
 */
export class UnsupportedOperation extends Error {
  override readonly name = "UnsupportedOperation"
}

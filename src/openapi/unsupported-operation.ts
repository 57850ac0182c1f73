/**
 * The error for an operation that cannot be used as a tool. The message is the rest of a sentence
 * that starts with `The operation ...`.
 */
export class UnsupportedOperation extends Error {
  override readonly name = "UnsupportedOperation"
}

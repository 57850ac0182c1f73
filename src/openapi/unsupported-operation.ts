/** Thrown if an operation cannot become a tool. The message completes `The operation ... `. */
export class UnsupportedOperation extends Error {
  override readonly name = "UnsupportedOperation"
}

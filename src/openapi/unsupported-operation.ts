/**
 * The error for an OpenAPI operation that cannot be used as a tool. The message completes a
 * sentence that starts with `The operation ...`, such as `has a required body that is not JSON`.
 */
export class UnsupportedOperation extends Error {
  override readonly name = "UnsupportedOperation"
}

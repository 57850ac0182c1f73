import type { ErrorCode } from "../../../errors.js"

/**
 * The error for a request that is not sent because its HTTP endpoint in the workflow config is
 * invalid or violates a rule. `field` is the invalid config field, for example
 * `headers.Authorization`.
 */
export class EndpointRefused extends Error {
  override readonly name = "EndpointRefused"
  readonly code: ErrorCode
  readonly field: string
  readonly retryable: boolean

  constructor(
    code: ErrorCode,
    field: string,
    message: string,
    options: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.field = field
    this.retryable = options.retryable ?? false
  }
}

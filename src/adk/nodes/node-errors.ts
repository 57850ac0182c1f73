import type { NodeFailure } from "../../machines/contract/run-event.js"

/**
 * The class of ADK for an attempt that takes longer than the `timeout` of its node. Recorded errors
 * keep only the class name and the message, so the `error` of a {@link DynamicNodeFailError} is an
 * `Error` with this name, and has no other fields. Use `isNodeTimeoutError` to recognize it.
 */
export class NodeTimeoutError extends Error {
  override readonly name = "NodeTimeoutError"
  readonly nodeName: string
  readonly timeout: number

  constructor({ nodeName, timeout }: { readonly nodeName: string; readonly timeout: number }) {
    super(`Node '${nodeName}' timed out after ${timeout} seconds.`)
    this.nodeName = nodeName
    this.timeout = timeout
  }
}

/**
 * The class of ADK for a node that reports its failure in an event instead of throwing, such as an
 * agent whose model call failed. The `error` of a {@link DynamicNodeFailError} has its name and
 * message, but no other fields. Use `isNodeReportedError` to recognize it.
 */
export class NodeReportedError extends Error {
  override readonly name = "NodeReportedError"
  readonly code: string
  readonly nodeName: string

  constructor({
    nodeName,
    errorCode = "UNKNOWN_ERROR",
    errorMessage = "the node reported an error",
  }: {
    readonly nodeName: string
    readonly errorCode?: string
    readonly errorMessage?: string
  }) {
    super(`Node '${nodeName}' failed: ${errorMessage}`)
    this.code = errorCode
    this.nodeName = nodeName
  }
}

/** The error that is thrown if the input or the output of a node does not match its schema. */
export class NodeSchemaValidationError extends Error {
  override readonly name = "NodeSchemaValidationError"
  readonly nodeName: string
  readonly direction: "input" | "output"

  constructor({
    nodeName,
    direction,
    cause,
  }: {
    readonly nodeName: string
    readonly direction: "input" | "output"
    readonly cause: unknown
  }) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`Node '${nodeName}': the ${direction} does not match its ${direction}Schema: ${reason}`, {
      cause,
    })
    this.nodeName = nodeName
    this.direction = direction
  }
}

/**
 * The error that is thrown if a node writes a state key or value that its `stateSchema` does not
 * allow.
 */
export class StateSchemaError extends Error {
  override readonly name = "StateSchemaError"
  readonly key: string

  constructor(key: string, reason: string) {
    super(`The state key '${key}' cannot be written: ${reason}`)
    this.key = key
  }
}

/**
 * Returns whether an error has this name. Names are compared, because a recorded error is no longer
 * an instance of its class.
 */
const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name

export const isNodeTimeoutError = (error: unknown): error is NodeTimeoutError =>
  isNamed(error, "NodeTimeoutError")

export const isNodeReportedError = (error: unknown): error is NodeReportedError =>
  isNamed(error, "NodeReportedError")

export const isNodeSchemaValidationError = (error: unknown): error is NodeSchemaValidationError =>
  isNamed(error, "NodeSchemaValidationError")

export const isStateSchemaError = (error: unknown): error is StateSchemaError =>
  isNamed(error, "StateSchemaError")

/**
 * Returns the class name and the message of an error. The option `exceptions` of a retry config
 * refers to errors by class name.
 */
export function failureOf(error: unknown): NodeFailure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) }
  const className = error.constructor.name
  return { name: className === "Error" ? error.name : className, message: error.message }
}

/** The error with which `ctx.runNode` rejects if the child node fails. */
export class DynamicNodeFailError extends Error {
  override readonly name = "DynamicNodeFailError"
  readonly error: Error
  readonly errorNodePath: string

  constructor({
    message,
    error,
    errorNodePath,
  }: {
    readonly message: string
    readonly error: Error
    readonly errorNodePath: string
  }) {
    super(message, { cause: error })
    this.error = error
    this.errorNodePath = errorNodePath
  }
}

export const isDynamicNodeFailError = (error: unknown): error is DynamicNodeFailError =>
  isNamed(error, "DynamicNodeFailError")

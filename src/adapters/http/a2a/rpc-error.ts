import { CallFailedError } from "../../../machines/contract/services.js"
import { isJsonObject } from "../../../machines/data/json-object.js"

/** The JSON-RPC error codes that this package handles, as defined by JSON-RPC and A2A. */
export const rpcCode = {
  methodNotFound: -32601,
  internal: -32603,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  unsupportedOperation: -32004,
  versionNotSupported: -32009,
} as const

/** The error for a request that a remote agent has answered with a JSON-RPC error. */
export class RpcFailed extends CallFailedError {
  readonly rpcCode: number

  constructor(rpcCodeOfError: number, message: string) {
    super({
      code:
        rpcCodeOfError === rpcCode.versionNotSupported
          ? "a2a_version_unsupported"
          : "remote_call_failed",
      message,
      retryable: rpcCodeOfError === rpcCode.internal,
    })
    this.rpcCode = rpcCodeOfError
  }
}

/** Converts the `error` field of a JSON-RPC response to an `RpcFailed` error. */
export function rpcErrorOf(error: unknown, subject: string): RpcFailed {
  const fields = isJsonObject(error) ? error : {}
  const code = typeof fields["code"] === "number" ? fields["code"] : 0
  const message = typeof fields["message"] === "string" ? fields["message"] : "no message"
  return new RpcFailed(code, `${subject} was answered with the error ${code}: ${message}`)
}

export const hasRpcCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof RpcFailed && codes.includes(error.rpcCode)

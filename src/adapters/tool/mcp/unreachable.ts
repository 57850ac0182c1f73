import { CallFailedError } from "../../../machines/contract/services.js"

/** A server that is not there, for now. */
export const unreachable = (place: string, says: string, cause?: unknown): CallFailedError =>
  new CallFailedError(
    { code: "service_unreachable", message: `the MCP server ${place} ${says}`, retryable: true },
    { cause },
  )

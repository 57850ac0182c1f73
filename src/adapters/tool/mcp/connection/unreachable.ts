import { CallFailedError } from "../../../../machines/contract/services.js"

/** Creates the error for an MCP server that cannot be reached. The error is retryable. */
export const unreachableServerError = (
  serverName: string,
  problem: string,
  cause?: unknown,
): CallFailedError =>
  new CallFailedError(
    {
      code: "service_unreachable",
      message: `the MCP server ${serverName} ${problem}`,
      retryable: true,
    },
    { cause },
  )

import { withoutPrivateKeys } from "../without-private-keys.js"
import type { CallToolResult, Tool } from "@modelcontextprotocol/server"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { errorCodeOf, isReportedError } from "../../../serving/http-error.js"
import { questionText } from "../../../serving/display/question-text.js"
import type { RunDetails } from "../../../serving/run-details.js"

const nullableText = { type: ["string", "null"] }

/** JSON Schema of the `structuredContent` in the results of all MCP tools. */
export const resultSchema = {
  type: "object",
  required: ["runId", "status", "text", "state"],
  properties: {
    runId: { type: "string" },
    status: { enum: ["completed", "waiting", "failed", "limit", "cancelled", "running"] },
    text: nullableText,
    state: { type: "object" },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
    toolFailures: {
      type: "array",
      description: "Failed tool calls whose error the model received.",
    },
    pending: {
      type: "array",
      description: "Requests that the run waits for.",
      items: {
        type: "object",
        required: ["id", "kind"],
        properties: {
          id: { type: "string" },
          kind: { type: "string" },
          agent: { type: "string" },
          prompt: nullableText,
          choices: { type: "array", description: "The allowed answers." },
          shown: { type: "object", description: "State values that belong to the question." },
        },
      },
    },
  },
} satisfies NonNullable<Tool["outputSchema"]>

/** Converts the current state of a run to the result of an MCP tool call. */
export function resultOf({ runId, result, pending }: RunDetails): CallToolResult {
  const { status, text, state, error, toolFailures } = result
  const structuredContent = {
    runId,
    status,
    text,
    state: withoutPrivateKeys(state),
    ...(error !== null && { error: { code: error.code, message: error.message } }),
    ...(toolFailures !== undefined && { toolFailures }),
    ...(pending.length > 0 && {
      pending: pending.map(pendingItem),
    }),
  }
  return {
    content: [{ type: "text", text: resultText({ runId, result, pending }) }],
    structuredContent,
    ...((status === "failed" || status === "limit") && { isError: true }),
  }
}

function pendingItem(request: PendingRequest): object {
  const { path: _path, branch: _branch, expiresAt: _expiresAt, ...item } = request
  return { ...item, details: item.details ?? null, toolCalls: item.toolCalls ?? [] }
}

function resultText({
  runId,
  result: { status, text, error },
  pending,
}: Pick<RunDetails, "runId" | "result" | "pending">): string {
  switch (status) {
    case "completed":
      return text ?? "Done."
    case "failed":
    case "limit":
      return error === null ? "The run reached a limit." : `${error.code}: ${error.message}`
    case "cancelled":
      return "The run was cancelled."
    case "running":
      return `The server is stopping. The run ${runId} continues when you call the tool again.`
    case "waiting":
      if (pending.every(isNextMessage))
        return `${text ?? ""}\n\nTo send another message to this run, call the tool answer_run with runId ${runId}.`.trimStart()
      return [
        ...(text === null ? [] : [text, ""]),
        `The run ${runId} waits for an answer. To continue, call the tool answer_run.`,
        ...pending.map(requestLine),
      ].join("\n")
  }
}

/**
 * Returns whether a pending request only waits for the next user message, without asking a
 * question.
 */
export const isNextMessage = ({ kind, prompt }: PendingRequest): boolean =>
  kind === "input" && (prompt === null || prompt === "")

const requestLine = (request: PendingRequest): string =>
  `- request "${request.id}", ${request.kind}: ${questionText(request)}`

/**
 * Converts an error that the MCP client caused to a tool result, so that the model can correct its
 * call. Rethrows any other error.
 */
export function errorResult(error: unknown): CallToolResult {
  if (!isReportedError(error)) throw error
  return {
    content: [{ type: "text", text: `${errorCodeOf(error)}: ${error.message}` }],
    isError: true,
  }
}

import { withoutPrivateKeys } from "../without-private-keys.js"
import type { CallToolResult, Tool } from "@modelcontextprotocol/server"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { errorCodeOf, isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"

const nullableText = { type: ["string", "null"] }

/** JSON Schema of the `structuredContent` of every tool result. */
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
        },
      },
    },
  },
} satisfies NonNullable<Tool["outputSchema"]>

/** Converts the current state of a run to the result of an MCP tool. */
export function resultOf({ runId, result, pending }: RunDetails): CallToolResult {
  const { status, text, state, error } = result
  const structuredContent = {
    runId,
    status,
    text,
    state: withoutPrivateKeys(state),
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(pending.length === 0
      ? {}
      : {
          pending: pending.map(({ id, kind, agent, prompt, details, toolCalls = [] }) => ({
            id,
            kind,
            agent,
            prompt,
            details: details ?? null,
            toolCalls,
          })),
        }),
  }
  return {
    content: [{ type: "text", text: resultText({ runId, result, pending }) }],
    structuredContent,
    ...(status === "failed" || status === "limit" ? { isError: true } : {}),
  }
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

/** Returns whether a request only waits for the next message of the user. */
export const isNextMessage = ({ kind, prompt }: PendingRequest): boolean =>
  kind === "input" && (prompt === null || prompt === "")

const requestLine = (request: PendingRequest): string =>
  `- request "${request.id}", ${request.kind}: ${questionOf(request)}`

/** Returns the question of a pending request with its proposed tool calls and its details. */
export function questionOf({
  kind,
  agent,
  prompt,
  details,
  toolCalls = [],
}: PendingRequest): string {
  const calls = toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`)
  const question = prompt === null || prompt === "" ? `${agent} ${defaultQuestions[kind]}` : prompt
  const more = details === null || details === undefined ? [] : [JSON.stringify(details)]
  return [question, ...calls, ...more].join("\n")
}

/**
 * Questions for pending requests without a prompt, by request kind. The name of the agent precedes
 * them.
 */
const defaultQuestions: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "asks for approval.",
  input: "waits for the next message.",
  human: "asks a question.",
  auth: "needs the name of a secret.",
  tool: "waits for the result of a tool call.",
}

/**
 * Converts an error in the client's request to a tool result, so that the model can correct its
 * call. Throws any other error again.
 */
export function errorResult(error: unknown): CallToolResult {
  if (!isReportedError(error)) throw error
  return {
    content: [{ type: "text", text: `${errorCodeOf(error)}: ${error.message}` }],
    isError: true,
  }
}

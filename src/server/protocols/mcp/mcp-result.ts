import type { CallToolResult, Tool } from "@modelcontextprotocol/server"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { errorCodeOf, isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"

const text = { type: ["string", "null"] }

/** The form of `structuredContent`. */
export const resultSchema = {
  type: "object",
  required: ["runId", "status", "text", "state"],
  properties: {
    runId: { type: "string" },
    status: { enum: ["completed", "waiting", "failed", "limit", "cancelled", "running"] },
    text,
    state: { type: "object" },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
    pending: {
      type: "array",
      description: "What the run waits for.",
      items: {
        type: "object",
        required: ["id", "kind"],
        properties: {
          id: { type: "string" },
          kind: { type: "string" },
          agent: { type: "string" },
          prompt: text,
        },
      },
    },
  },
} satisfies NonNullable<Tool["outputSchema"]>

/** What is only the library's is not shown. */
const shown = (state: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith("_")))

/** How a run stands, as the result of a tool. */
export function resultOf({ runId, result, pending }: RunDetails): CallToolResult {
  const { status, text: said, state, error } = result
  const structuredContent = {
    runId,
    status,
    text: said,
    state: shown(state),
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
    content: [{ type: "text", text: wordsFor({ runId, result, pending }) }],
    structuredContent,
    ...(status === "failed" || status === "limit" ? { isError: true } : {}),
  }
}

function wordsFor({
  runId,
  result: { status, text: said, error },
  pending,
}: Pick<RunDetails, "runId" | "result" | "pending">): string {
  switch (status) {
    case "completed":
      return said ?? "Done."
    case "failed":
    case "limit":
      return error === null ? "The run ended at a limit." : `${error.code}: ${error.message}`
    case "cancelled":
      return "The run was cancelled."
    case "running":
      return `The server was stopped. The run ${runId} goes on when it is asked again.`
    case "waiting":
      if (pending.every(isNextMessage))
        return `${said ?? ""}\n\nWho has more to say to this run does so with the tool answer_run, runId ${runId}.`.trimStart()
      return [
        ...(said === null ? [] : [said, ""]),
        `The run ${runId} waits. Go on with the tool answer_run.`,
        ...pending.map(requestLine),
      ].join("\n")
  }
}

/** Whether a run only waits for what its user says next. */
export const isNextMessage = ({ kind, prompt }: PendingRequest): boolean =>
  kind === "input" && (prompt === null || prompt === "")

const requestLine = (request: PendingRequest): string =>
  `- request "${request.id}", ${request.kind}: ${questionOf(request)}`

/** What a person is asked. */
export function questionOf({
  kind,
  agent,
  prompt,
  details,
  toolCalls = [],
}: PendingRequest): string {
  const calls = toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`)
  const asked = prompt === null || prompt === "" ? `${agent} ${unasked[kind]}` : prompt
  const more = details === null || details === undefined ? [] : [JSON.stringify(details)]
  return [asked, ...calls, ...more].join("\n")
}

const unasked: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "asks whether this may be done.",
  input: "waits for the next message.",
  human: "asks.",
  auth: "needs the name of a secret.",
  tool: "waits for the result of a call.",
}

/** What was refused is told to the model, which may do it otherwise; what else goes wrong is not its business. */
export function refusalOf(error: unknown): CallToolResult {
  if (!isReportedError(error)) throw error
  return {
    content: [{ type: "text", text: `${errorCodeOf(error)}: ${error.message}` }],
    isError: true,
  }
}

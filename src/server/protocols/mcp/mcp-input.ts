import * as z from "zod"
import { maxDataDepth, isDeeperThan } from "../../../machines/data/nesting.js"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { StartOptions } from "../../../runtime/runner/runner-options.js"
import { HttpError } from "../../../serving/http-error.js"
import type { WorkflowTool } from "./mcp-tools.js"

const badInput = (message: string): HttpError =>
  new HttpError(400, { code: "input_refused", message })

function read<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const result = schema.safeParse(input)
  if (!result.success) throw badInput(z.prettifyError(result.error))
  return result.data
}

const record = z.record(z.string(), z.unknown())
const message = z.strictObject({ prompt: z.string().optional(), state: record.optional() })

/**
 * Converts the arguments of an MCP tool call to the start options of a workflow run. If the
 * workflow has an input schema, the run validates the arguments.
 *
 * @throws HttpError `input_refused`.
 */
export function startOptions(
  { inputSchema, workflow: { chart } }: WorkflowTool,
  input: unknown,
): Pick<StartOptions, "prompt" | "state"> {
  if (isDeeperThan(maxDataDepth, input))
    throw badInput(`the arguments must not be nested deeper than ${maxDataDepth} levels`)
  if (inputSchema !== null) return { prompt: JSON.stringify(input) }
  const { prompt, state } = read(message, input)
  if (prompt === undefined && chart.input.prompt === null)
    throw badInput(
      "prompt is missing, and the workflow does not define a first message; pass prompt",
    )
  return { ...(prompt !== undefined && { prompt }), ...(state !== undefined && { state }) }
}

const answer = z.strictObject({
  runId: z.string(),
  request: z.string().optional(),
  approved: z.boolean().optional(),
  args: record.optional(),
  reason: z.string().optional(),
  answer: z.unknown().optional(),
})

/** Arguments of the MCP tool `answer_run`, which answers a pending request of a run. */
export type AnswerArguments = z.infer<typeof answer>

/**
 * Parses the arguments of the MCP tool `answer_run`.
 *
 * @throws HttpError `input_refused`.
 */
export const parseAnswer = (input: unknown): AnswerArguments => read(answer, input)

/**
 * Converts an answer from an MCP client to a message for the run. The answer needs the id of a
 * request only if several requests are pending.
 *
 * @throws HttpError `input_refused` if a field is missing, `request_unknown` if the request is not
 * pending.
 */
export function messageOf(
  fields: Omit<AnswerArguments, "runId">,
  pending: readonly PendingRequest[],
): RunMessage {
  const request =
    fields.request === undefined && pending.length === 1
      ? pending[0]
      : pending.find(({ id }) => id === fields.request)
  if (request === undefined) {
    const ids = pending.map(({ id }) => `"${id}"`).join(", ")
    throw new HttpError(409, {
      code: "request_unknown",
      message:
        ids === "" ? "the run has no pending requests" : `pass one of the pending requests: ${ids}`,
    })
  }
  const { id, kind } = request
  if (kind === "approval") {
    const { approved, args, reason } = fields
    if (approved === undefined)
      throw badInput(`the request "${id}" is an approval: pass approved, true or false`)
    if (!approved) return { type: "reject", id, ...(reason !== undefined && { reason }) }
    return { type: "approve", id, ...(args !== undefined && { args }) }
  }
  if (fields.answer === undefined)
    throw badInput(
      `the request "${id}" is of kind ${kind}: pass answer, the ${kind === "tool" ? "result of the call" : "answer"}`,
    )
  if (kind === "tool") return { type: "deliver", callId: id, result: fields.answer }
  if (kind !== "input") return { type: "answer", id, value: fields.answer }
  return {
    type: "say",
    content: typeof fields.answer === "string" ? fields.answer : JSON.stringify(fields.answer),
    request: id,
  }
}

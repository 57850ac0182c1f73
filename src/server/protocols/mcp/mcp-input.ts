import * as z from "zod"
import { maxDataDepth, isDeeperThan } from "../../../machines/data/nesting.js"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { StartOptions } from "../../../runtime/runner/runner.js"
import { HttpError } from "../../../serving/http-error.js"
import type { WorkflowTool } from "./mcp-tools.js"

const refused = (message: string): HttpError =>
  new HttpError(400, { code: "input_refused", message })

function read<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const result = schema.safeParse(given)
  if (!result.success) throw refused(z.prettifyError(result.error))
  return result.data
}

const record = z.record(z.string(), z.unknown())
const message = z.strictObject({ prompt: z.string().optional(), state: record.optional() })

/** Arguments of a workflow as what its run starts with. What follows a schema of its own is checked by the run. */
export function startOf(
  { inputSchema, workflow: { chart } }: WorkflowTool,
  given: unknown,
): Pick<StartOptions, "prompt" | "state"> {
  if (isDeeperThan(maxDataDepth, given))
    throw refused(`the arguments are nested deeper than ${maxDataDepth} levels`)
  if (inputSchema !== null) return { prompt: JSON.stringify(given) }
  const { prompt, state } = read(message, given)
  if (prompt === undefined && chart.input.prompt === null)
    throw refused("prompt is missing, and the workflow does not define a first message")
  return { ...(prompt === undefined ? {} : { prompt }), ...(state === undefined ? {} : { state }) }
}

const answer = z.strictObject({
  runId: z.string(),
  request: z.string().optional(),
  approved: z.boolean().optional(),
  args: record.optional(),
  reason: z.string().optional(),
  answer: z.unknown().optional(),
})

/** Arguments of `answer_run`. */
export type AnswerArguments = z.infer<typeof answer>

export const parseAnswer = (given: unknown): AnswerArguments => read(answer, given)

/**
 * An answer as what the run is given.
 *
 * @throws HttpError what is missing in it, or which request is not open.
 */
export function messageOf(
  given: Omit<AnswerArguments, "runId">,
  pending: readonly PendingRequest[],
): RunMessage {
  const asked =
    given.request === undefined && pending.length === 1
      ? pending[0]
      : pending.find(({ id }) => id === given.request)
  if (asked === undefined) {
    const ids = pending.map(({ id }) => `"${id}"`).join(", ")
    throw new HttpError(409, {
      code: "request_unknown",
      message:
        ids === "" ? "the run has no pending requests" : `pass one of the pending requests: ${ids}`,
    })
  }
  const { id, kind } = asked
  if (kind === "approval") {
    const { approved, args, reason } = given
    if (approved === undefined)
      throw refused(`the request "${id}" is an approval: pass approved, true or false`)
    if (!approved) return { type: "reject", id, ...(reason === undefined ? {} : { reason }) }
    return { type: "approve", id, ...(args === undefined ? {} : { args }) }
  }
  if (given.answer === undefined)
    throw refused(`the request "${id}" is of kind ${kind}: pass answer`)
  if (kind === "tool") return { type: "deliver", callId: id, result: given.answer }
  if (kind !== "input") return { type: "answer", id, value: given.answer }
  return {
    type: "say",
    content: typeof given.answer === "string" ? given.answer : JSON.stringify(given.answer),
    request: id,
  }
}

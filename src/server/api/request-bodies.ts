import * as z from "zod"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { RunMessage } from "../../runtime/run/run-message.js"

/** Schema of run ids. Valid ids are safe in URL paths, file names and headers. */
export const runId = z
  .string()
  .regex(/^[\w.:-]{1,128}$/, "must be 1 to 128 letters, digits, and . : _ -")

const record = z.record(z.string(), z.unknown())
const content = z
  .union([z.string(), z.array(record)])
  .describe("A text, or a list of {text}, {inline_data} and {file_data}.")
  // The cast is unchecked here, because the run validates the content parts later.
  .transform((parts) => parts as UserContent)

/** Schema of the request body that starts a run. */
export const startBody = z.strictObject({
  workflow: z.string().describe("Id of a workflow, as listed by GET /v1/workflows."),
  prompt: content
    .nullable()
    .exactOptional()
    .describe("First message of the user. Default: the message that the workflow defines."),
  state: record
    .exactOptional()
    .describe("Values added to the initial state. They replace values with the same key."),
  context: record
    .exactOptional()
    .describe("Values that replace values of the context of a graph. Only for graphs."),
  session: z
    .strictObject({
      appName: z.string().exactOptional().describe("Default: the id of the chart."),
      userId: z.string().exactOptional().describe('Default: "user".'),
      sessionId: z.string().exactOptional().describe("Default: the id of the run."),
    })
    .exactOptional()
    .describe(
      "Session that the run continues or creates. Default: the run uses no session. The server does not check who the user is.",
    ),
  runId: runId
    .exactOptional()
    .describe(
      "Id of the run. Default: a random id. If the id is taken, the response is 409, so you can safely repeat the request.",
    ),
})

const requestId = z.string().describe("Id of a pending request.")

/**
 * Schemas of the request bodies that send a message to a run, by message type. The message type is
 * the last segment of the URL path.
 */
export const messageBodies = {
  say: z
    .strictObject({
      content,
      request: z
        .string()
        .exactOptional()
        .describe("Id of the pending request to answer. Required if several agents wait."),
    })
    .transform((fields): RunMessage => ({ type: "say", ...fields })),
  approve: z
    .strictObject({
      id: requestId,
      args: record.exactOptional().describe("Arguments that replace the proposed arguments."),
    })
    .transform((fields): RunMessage => ({ type: "approve", ...fields })),
  reject: z
    .strictObject({
      id: requestId,
      reason: z
        .string()
        .exactOptional()
        .describe("The reason for the rejection, which the model receives."),
    })
    .transform((fields): RunMessage => ({ type: "reject", ...fields })),
  answer: z
    .strictObject({
      id: requestId,
      value: z.unknown().describe('Answer. For a consent: {"secret": name}.'),
    })
    .transform((fields): RunMessage => ({ type: "answer", ...fields })),
  deliver: z
    .strictObject({
      callId: z.string().describe("Id of a long-running tool call."),
      result: z.unknown().describe("Result of the call."),
    })
    .transform((fields): RunMessage => ({ type: "deliver", ...fields })),
  end: z.strictObject({}).transform((): RunMessage => ({ type: "end" })),
  cancel: z.strictObject({}).transform((): RunMessage => ({ type: "cancel" })),
} satisfies Readonly<Record<RunMessage["type"], z.ZodType<RunMessage>>>

import * as z from "zod"

/** Ids that may stand in paths, file names and headers. */
export const runId = z
  .string()
  .regex(/^[\w.:-]{1,128}$/, "must be 1 to 128 letters, digits, and . : _ -")

const record = z.record(z.string(), z.unknown())
const content = z
  .union([z.string(), z.array(record)])
  .describe("A text, or a list of {text}, {inline_data} and {file_data}.")

/** What starts a run. */
export const startBody = z.strictObject({
  workflow: z.string().describe("Id of a workflow, as GET /v1/workflows lists them."),
  prompt: content
    .nullable()
    .optional()
    .describe("The user's first message; that of the workflow unless given."),
  state: record.optional().describe("Added to the initial state, key by key."),
  runId: runId
    .optional()
    .describe(
      "A random one unless given. An id that is taken is refused, so a start can be repeated.",
    ),
})

/** What a run can be given, by the last part of the path. */
export const messageBodies = {
  say: z.strictObject({
    content,
    request: z
      .string()
      .optional()
      .describe("Id of the request that it answers, where several agents wait."),
  }),
  approve: z.strictObject({
    id: z.string().describe("Id of a pending request."),
    args: record.optional().describe("Edited arguments."),
  }),
  reject: z.strictObject({ id: z.string(), reason: z.string().optional() }),
  answer: z.strictObject({ id: z.string(), value: z.unknown() }),
  deliver: z.strictObject({
    callId: z.string().describe("Id of a long-running tool call."),
    result: z.unknown(),
  }),
  end: z.strictObject({}),
  cancel: z.strictObject({}),
} as const

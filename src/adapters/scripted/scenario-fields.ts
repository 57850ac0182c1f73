import * as z from "zod"

const controls = {
  delayMs: z
    .number()
    .min(0)
    .max(600_000)
    .optional()
    .describe("Delay in milliseconds before the response is sent."),
  for: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Use the response only if the last user message, or the JSON of a tool's arguments, contains this text.",
    ),
  forState: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Use the response of a model only if the state of the request has these values."),
  repeat: z
    .boolean()
    .optional()
    .describe("Repeat the response for all later calls. Only for the last entry of a list."),
  httpStatus: z
    .number()
    .int()
    .min(200)
    .max(599)
    .optional()
    .describe("HTTP status of the response. Statuses of 400 and above are errors."),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe("Headers of a response with httpStatus, such as retry-after."),
  echoHeaders: z
    .boolean()
    .optional()
    .describe("Return the headers and the URL of the request in the body. Needs httpStatus."),
  malformed: z.string().optional().describe('Send this text as a JSON body, such as "{oops".'),
  reset: z.literal(true).optional().describe("Close the connection without a response."),
  hugeBytes: z
    .number()
    .int()
    .min(20)
    .max(1_000_000_000)
    .optional()
    .describe("Send a JSON body with this number of bytes."),
}

/** Names of the fields of a model service's response that the runtime reads. */
export const responseFieldNames = [
  "content",
  "toolCalls",
  "exitFlow",
  "escalate",
  "waitForUserInput",
  "hitlRequest",
  "usage",
] as const

/**
 * Names of all known fields of a scripted model response. They include the fields that the runtime
 * reads, and control fields such as `delayMs`.
 */
export const llmEntryFields: readonly string[] = [...responseFieldNames, ...Object.keys(controls)]

/**
 * Zod schema of a scripted model response. All fields except control fields such as `delayMs` form
 * the body of the response. The body is not validated, so that tests can use invalid responses.
 */
export const llmEntry = z.looseObject(controls)
// `z.record` would remove the key `__proto__`, which is allowed here.
export const toolEntry = z.custom<Record<string, unknown>>(
  (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry),
  {
    error: "must be an object, because it is an entry of a tool",
  },
)
/**
 * Zod schema of a scenario file, which contains scripted responses. `scenario-schema.ts` derives
 * the JSON Schema from it.
 */
export const scenarioFile = z.looseObject({
  $schema: z.unknown().optional().describe("The JSON Schema of this file, for editors."),
  llm: z
    .record(z.string(), z.array(llmEntry))
    .default({})
    .describe("The responses of each agent's model, by agent, in the order of the calls."),
  tools: z
    .record(z.string(), z.array(toolEntry))
    .default({})
    .describe("The responses of each tool, by tool, in the order of the calls."),
  http: z
    .record(z.string(), z.array(toolEntry))
    .default({})
    .describe("The responses to each node of a graph, by node, in the order of the requests."),
  notIdempotent: z
    .array(z.string())
    .default([])
    .describe(
      "Names of tools, agents and host functions that ignore the Idempotency-Key, for the command faults.",
    ),
})

export type ResponseControls = z.infer<typeof llmEntry>

/**
 * Zod schema of a scripted tool response with only control fields, such as `delayMs` or `json`. If
 * a response has any other field, the tool returns the whole object as its data.
 */
export const specialTool = z.strictObject({
  ...controls,
  text: z.string().optional().describe("Send this text as a plain text body."),
  json: z.unknown().optional().describe("Send this value as a JSON body."),
})

import * as z from "zod"

/** Registry of the schemas that the OpenAPI document lists by name under `components`. */
export const components = z.registry<{ readonly id: string }>()

const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  components.add(schema, { id })
  return schema
}

/** Returns an array schema whose type is a readonly array, because responses are never modified. */
const list = <Item>(item: z.ZodType<Item>): z.ZodType<readonly Item[]> => z.array(item)

const record = z.record(z.string(), z.unknown())
const time = z.number().describe("Milliseconds since the epoch.")
const runStatuses = ["running", "waiting", "completed", "failed", "cancelled", "limit"] as const
const status = named("Status", z.enum(runStatuses))

const pendingRequest = named(
  "PendingRequest",
  z.object({
    id: z.string(),
    kind: z.enum(["approval", "input", "tool", "human", "auth"]),
    agent: z.string().describe("Id of the agent that asks."),
    path: z.string().describe("Path of the agent in the run."),
    branch: z.string().nullable(),
    prompt: z.string().nullable(),
    details: z.unknown().optional(),
    choices: list(z.union([z.string(), z.number(), z.boolean()]))
      .exactOptional()
      .describe("The allowed answers."),
    answerSchema: record.exactOptional().describe("JSON Schema of the allowed answers."),
    shown: record.exactOptional().describe("State values to show with the question, by key."),
    omittedKeys: list(z.string())
      .exactOptional()
      .describe("Keys that are missing in shown, because their values are too large."),
    toolCalls: list(
      z.object({
        id: z.string(),
        name: z.string(),
        args: record,
        parameters: record
          .exactOptional()
          .describe("JSON Schema of the arguments. Edited arguments must match it."),
      }),
    )
      .exactOptional()
      .describe("The calls that an approval allows, or the call that waits for its result."),
    expiresAt: time.exactOptional(),
    child: z
      .object({ runId: z.string(), request: z.string() })
      .exactOptional()
      .describe("The child run that made the request, and the id of the request in it."),
  }),
)

const calledBy = z
  .object({ runId: z.string(), path: z.string().describe("Path of the agent in that run.") })
  .exactOptional()
  .describe("The run that has started the run with a WorkflowAgent.")

const runError = named(
  "RunError",
  z.object({
    code: z.string().describe("Stable error code."),
    message: z.string(),
    agent: z.string().nullable(),
    status: z.number().exactOptional().describe("HTTP status of the failed call."),
  }),
)

const usage = named(
  "Usage",
  z.object({
    modelCalls: z.number(),
    toolCalls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number().exactOptional(),
    cached: z
      .object({
        modelCalls: z.number(),
        inputTokens: z.number(),
        outputTokens: z.number(),
        cost: z.number().exactOptional(),
      })
      .exactOptional()
      .describe("Model calls that received a cached response, and their original usage."),
  }),
)

const toolFailures = list(
  named(
    "ToolFailure",
    z.object({
      tool: z.string(),
      callId: z.string(),
      message: z.string(),
      agent: z.string().describe("Id of the agent that made the call."),
      path: z.string(),
      branch: z.string().nullable(),
    }),
  ),
)
  .exactOptional()
  .describe("Failed tool calls whose error the model received, oldest first.")

export const healthBody = named(
  "Health",
  z.object({ status: z.literal("ok"), openRuns: z.number() }),
)

export const readyBody = named("Ready", z.object({ status: z.literal("ready") }))

/** Schema of the JSON body of all error responses. */
export const errorBody = named(
  "Error",
  z.object({
    code: z.string().describe("Stable error code."),
    message: z.string().describe("A description of the problem for people."),
  }),
)

export const workflowList = named(
  "WorkflowList",
  list(
    named(
      "Workflow",
      z.object({
        id: z.string(),
        file: z.string().describe("Path in the served folder."),
        chart: z.string().describe("Id of the compiled chart."),
        dialect: z.string(),
        prompt: z
          .string()
          .nullable()
          .describe("First message that the workflow defines. null if a run needs its own."),
      }),
    ),
  ),
)

const listedRun = named(
  "ListedRun",
  z.object({
    runId: z.string(),
    chart: z.string().describe("Id of the compiled chart."),
    startedAt: time,
    settledAt: time
      .exactOptional()
      .describe(
        "Time at which the run ended or began to wait, in milliseconds since the epoch. Absent while it executes, or if the journal does not store the time.",
      ),
    status: z
      .enum([...runStatuses, "interrupted"])
      .describe("interrupted: the run has not ended, and no process executes it."),
    pending: list(pendingRequest),
    owner: z.string().nullable().describe("The other process that executes the run."),
    isHere: z.boolean().describe("Whether this server executes the run."),
    calledBy,
  }),
)

export const runList = named("RunList", z.object({ runs: list(listedRun) }))

export const scheduleList = z.object({
  schedules: list(
    named(
      "Schedule",
      z.object({
        name: z.string(),
        workflow: z.string().describe("Id of the workflow."),
        cron: z.string().exactOptional(),
        timezone: z.string().exactOptional().describe("Time zone of cron."),
        everyMs: z.number().exactOptional().describe("Interval in milliseconds."),
        missed: z.enum(["skip", "run-once", "run-all"]),
        overlap: z.enum(["skip", "allow"]),
        paused: z.boolean(),
        nextDueAt: time.nullable().describe("The next due time. null: no run will be started."),
        lastRun: z
          .object({ runId: z.string(), dueAt: time, status })
          .nullable()
          .describe("The run with the latest due time."),
      }),
    ),
  ),
})

export const webhookList = z.object({
  webhooks: list(
    named(
      "Webhook",
      z.object({
        name: z.string(),
        url: z.string().describe("URL without its query."),
        events: list(z.string()).describe("Event types, groups such as run.*, or *."),
        workflows: list(z.string()).exactOptional().describe("Ids of the reported workflows."),
        failed: z.number().describe("Number of failed deliveries."),
      }),
    ),
  ),
  deliveries: list(
    named(
      "Delivery",
      z.object({
        runId: z.string(),
        receiver: z.string().describe("Name of the webhook."),
        status: z
          .enum(["delivering", "retrying", "failed"])
          .describe("failed: no further attempt is made until the webhook is retried."),
        position: z.number().describe("Number of events of the run that are done."),
        attempts: z.number().describe("Number of failed attempts to deliver the next event."),
        nextAttemptAt: time.nullable(),
        failingSince: time.nullable(),
        error: z.string().nullable().describe("Reason of the last failure."),
      }),
    ),
  ),
})

export const receivedBody = z.object({
  status: z
    .enum(["answered", "duplicate"])
    .describe("duplicate: a message with this id was received before."),
  runId: z.string().exactOptional(),
  request: z.string().exactOptional().describe("Id of the answered request."),
})

export const retriedBody = z.object({
  retried: z.number().describe("Number of deliveries that are tried again."),
})

/** Schema of a run in API responses. It does not include the session state, which may be large. */
export const runBody = named(
  "Run",
  z.object({
    runId: z.string(),
    chart: z.string().describe("Id of the compiled chart."),
    file: z.string().nullable().describe("Path of the workflow in the served folder."),
    startedAt: time,
    isHere: z.boolean().describe("Whether this server executes the run."),
    calledBy,
    status,
    text: z.string().nullable().describe("Last text of the root agent."),
    error: runError.nullable(),
    usage,
    toolFailures,
    pending: list(pendingRequest),
  }),
)

/** Schema of the result of a run in API responses. It includes the session state. */
export const resultBody = named(
  "Result",
  z.object({
    runId: z.string(),
    status,
    text: z.string().nullable().describe("Last text of the root agent."),
    state: record,
    artifacts: record.exactOptional().describe("Artifacts by name."),
    error: runError.nullable(),
    usage,
    toolFailures,
    pending: list(pendingRequest),
  }),
)

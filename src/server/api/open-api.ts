import * as z from "zod"
import { messageBodies, startBody } from "./request-bodies.js"

type Json = Readonly<Record<string, unknown>>

const json = (schema: Json): Json => ({ content: { "application/json": { schema } } })
const bodyOfSchema = (schema: z.ZodType): Json => ({
  required: true,
  ...json(withoutDialect(z.toJSONSchema(schema))),
})
const named = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const inPath = (name: string, description: string): Json => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
})
const inQuery = (name: string, description: string, type = "string"): Json => ({
  name,
  in: "query",
  description,
  schema: { type },
})
const refusals: Json = {
  default: {
    description: "Refused: a stable code, and a sentence for people.",
    ...json(named("ErrorBody")),
  },
}
const answers = (description: string, schema: Json, status = "200"): Json => ({
  [status]: { description, ...json(schema) },
  ...refusals,
})
const runId = inPath("id", "Id of the run.")

function withoutDialect({ $schema: _dialect, ...schema }: Json): Json {
  return schema
}

const words: Readonly<Record<keyof typeof messageBodies, string>> = {
  say: "Gives the agent that waits a message of the user",
  approve: "Lets proposed calls run, with edited arguments where given",
  reject: "Refuses proposed calls",
  answer: "Answers a question, a request for a message, or one for a secret by its name",
  deliver: "Gives the result of a long-running tool call",
  end: "Ends the conversation; the run is completed",
  cancel: "Aborts what is in flight; the run is cancelled",
}

/** The routes of the library's own API; those of AG-UI, A2A and Graph Compose are described where they come from. */
export function openApi(version: string): Json {
  const given = Object.entries(messageBodies).map(([type, schema]) => [
    `/v1/runs/{id}/${type}`,
    {
      post: {
        operationId: type,
        summary: words[type as keyof typeof messageBodies],
        parameters: [runId],
        requestBody: bodyOfSchema(schema),
        responses: answers("How the run stands then.", named("Run")),
      },
    },
  ])
  return {
    openapi: "3.1.0",
    info: {
      title: "agent-statecharts",
      version,
      description:
        "Starts workflows of agents, tells what they do, and gives them what they wait for.",
    },
    security: [{ token: [] }],
    paths: {
      "/health": {
        get: {
          operationId: "health",
          summary: "Whether the server takes requests",
          security: [],
          responses: { 200: { description: "It does." } },
        },
      },
      "/v1/workflows": {
        get: {
          operationId: "listWorkflows",
          summary: "The workflows that can be started",
          responses: answers("All of them.", { type: "array", items: named("Workflow") }),
        },
      },
      "/v1/runs": {
        get: {
          operationId: "listRuns",
          summary: "Runs, the newest first",
          parameters: [
            inQuery("limit", "How many; default 100.", "integer"),
            inQuery("status", "Only runs of this status."),
          ],
          responses: answers("A list.", {
            type: "object",
            properties: { runs: { type: "array", items: { type: "object" } } },
          }),
        },
        post: {
          operationId: "startRun",
          summary: "Starts a run",
          requestBody: bodyOfSchema(startBody),
          responses: answers("It is in the journal.", named("Run"), "201"),
        },
      },
      "/v1/runs/{id}": {
        get: {
          operationId: "readRun",
          summary: "How a run stands",
          parameters: [runId],
          responses: answers("It stands so.", named("Run")),
        },
      },
      "/v1/runs/{id}/result": {
        get: {
          operationId: "readResult",
          summary: "What a run has come to, with its state",
          parameters: [
            runId,
            inQuery("wait", "Seconds to wait until nothing is in flight, 60 at most.", "integer"),
          ],
          responses: {
            ...answers("It has finished.", named("Result")),
            202: { description: "It has not finished.", ...json(named("Result")) },
          },
        },
      },
      "/v1/runs/{id}/events": {
        get: {
          operationId: "readEvents",
          summary: "All events of a run as server-sent events, the past first",
          parameters: [
            runId,
            {
              name: "Last-Event-ID",
              in: "header",
              description: "The last event that was read; later ones follow.",
              schema: { type: "integer" },
            },
            inQuery("after", "The same in the query.", "integer"),
            inQuery("token", "The token, for EventSource."),
          ],
          responses: {
            200: {
              description:
                "Each event is numbered by its seq. Events named `delta` tell what a model is saying and have no number. The event `end` says that the run has finished.",
              content: { "text/event-stream": {} },
            },
            ...refusals,
          },
        },
      },
      "/v1/runs/{id}/resume": {
        post: {
          operationId: "resume",
          summary: "Takes up a run that nobody carries on",
          parameters: [runId],
          responses: answers("How the run stands then.", named("Run")),
        },
      },
      ...Object.fromEntries(given),
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        ErrorBody: {
          type: "object",
          required: ["code", "message"],
          properties: { code: { type: "string" }, message: { type: "string" } },
        },
        Workflow: {
          type: "object",
          properties: {
            id: { type: "string" },
            file: { type: "string" },
            chart: { type: "string" },
            dialect: { type: "string" },
            prompt: { type: ["string", "null"] },
          },
        },
        Run: {
          type: "object",
          required: ["runId", "status"],
          properties: {
            runId: { type: "string" },
            chart: { type: "string" },
            file: { type: ["string", "null"] },
            startedAt: { type: "integer" },
            isHere: { type: "boolean" },
            status: named("Status"),
            text: { type: ["string", "null"] },
            error: { type: ["object", "null"] },
            usage: { type: "object" },
            pending: { type: "array", items: { type: "object" } },
          },
        },
        Result: {
          type: "object",
          required: ["runId", "status", "state"],
          properties: {
            runId: { type: "string" },
            status: named("Status"),
            text: { type: ["string", "null"] },
            state: { type: "object" },
            error: { type: ["object", "null"] },
            usage: { type: "object" },
          },
        },
        Status: { enum: ["running", "waiting", "completed", "failed", "cancelled", "limit"] },
      },
    },
  }
}

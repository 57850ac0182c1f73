import * as z from "zod"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { messageBodies, startBody } from "./request-bodies.js"
import {
  healthBody,
  readyBody,
  resultBody,
  receivedBody,
  retriedBody,
  runBody,
  runList,
  scheduleList,
  webhookList,
  workflowList,
} from "./response-bodies.js"

export type SuccessStatus = 200 | 201 | 202

/** Media type of an API response that is not JSON. */
export type OtherMediaType = "text/event-stream" | "image/svg+xml"

/**
 * Definition of an operation of the server's JSON API. The route, the validation of requests and
 * the entry in the OpenAPI document are generated from it.
 */
export interface ApiOperation<Query, Headers, Body, Result> {
  readonly method: "get" | "post"
  /** URL path in OpenAPI format, for example `/v1/runs/{id}`. */
  readonly path: string
  readonly summary: string
  /** Whether clients can call the operation without the token of the server. */
  readonly isPublic: boolean
  readonly query: z.ZodType<Query>
  /** Schema of the request headers, whose names are in lower case. */
  readonly headers: z.ZodType<Headers>
  /** Schema of the request body, or {@link noBody} if the operation has no body. */
  readonly body: z.ZodType<Body>
  /** Default HTTP status of a successful response. */
  readonly status: SuccessStatus
  /** Descriptions of the successful responses, by HTTP status. */
  readonly statuses: Readonly<Record<number, string>>
  /** Schema of the JSON response, or the media type of a response that is not JSON. */
  readonly result: z.ZodType<Result> | OtherMediaType
}

const noParameters = z.object({})
/** Body schema of API operations without a request body. */
export const noBody: z.ZodType<undefined> = z.undefined()
const defaults = {
  isPublic: false,
  query: noParameters,
  headers: noParameters,
  body: noBody,
  status: 200,
} as const

const maxDigits = 12

const wholeNumber = (description: string) =>
  z
    .preprocess(
      // An empty value, such as `?limit=`, is the same as a missing value.
      (text) => (text === "" ? undefined : /^\d+$/.test(String(text)) ? Number(text) : text),
      z
        .int("must be a whole number, 0 or greater")
        .min(0)
        .max(10 ** maxDigits - 1)
        .optional(),
    )
    .describe(description)

/**
 * Maximum of the query parameter `wait` in seconds. Clients use it to wait for the result of a run.
 */
export const longestWait = 60

/** All operations of the server's JSON API, except those that send a message to a run. */
export const operations = {
  health: {
    ...defaults,
    method: "get",
    path: "/health",
    summary: "Report that the server is running",
    isPublic: true,
    statuses: { 200: "The server is running." },
    result: healthBody,
  },
  ready: {
    ...defaults,
    method: "get",
    path: "/ready",
    summary: "Report that the server can reach its journal",
    isPublic: true,
    statuses: { 200: "The server can start and continue runs." },
    result: readyBody,
  },
  listWorkflows: {
    ...defaults,
    method: "get",
    path: "/v1/workflows",
    summary: "List the workflows",
    statuses: { 200: "All workflows." },
    result: workflowList,
  },
  listRuns: {
    ...defaults,
    method: "get",
    path: "/v1/runs",
    summary: "List runs, newest first",
    query: z.object({
      limit: wholeNumber("Maximum number of runs. Default: 100."),
      status: z.string().optional().describe("Return only runs with this status."),
    }),
    statuses: { 200: "The runs, newest first." },
    result: runList,
  },
  listSchedules: {
    ...defaults,
    method: "get",
    path: "/v1/schedules",
    summary: "List the schedules, with their next due times and last runs",
    statuses: { 200: "The schedules, in the order of the schedule file." },
    result: scheduleList,
  },
  listWebhooks: {
    ...defaults,
    method: "get",
    path: "/v1/webhooks",
    summary: "List the webhooks that receive events, and the deliveries that are not complete",
    query: z.object({ limit: wholeNumber("Maximum number of deliveries. Default: 100.") }),
    statuses: { 200: "The webhooks, in the order of the webhook file." },
    result: webhookList,
  },
  retryWebhook: {
    ...defaults,
    method: "post",
    path: "/v1/webhooks/{id}/retry",
    summary: "Try the failed deliveries of a webhook again",
    statuses: { 200: "The failed deliveries are due." },
    result: retriedBody,
  },
  receiveWebhook: {
    ...defaults,
    method: "post",
    path: "/v1/hooks/{id}",
    summary: "Answer a pending request with an incoming webhook",
    isPublic: true,
    body: z.unknown().describe("Any JSON. The request must be signed."),
    statuses: { 200: "The request was answered, or the message was received before." },
    result: receivedBody,
  },
  startRun: {
    ...defaults,
    method: "post",
    path: "/v1/runs",
    summary: "Start a run",
    body: startBody,
    status: 201,
    statuses: { 201: "The journal has stored the new run." },
    result: runBody,
  },
  readRun: {
    ...defaults,
    method: "get",
    path: "/v1/runs/{id}",
    summary: "Get the status and the pending requests of a run",
    statuses: { 200: "The run." },
    result: runBody,
  },
  readResult: {
    ...defaults,
    method: "get",
    path: "/v1/runs/{id}/result",
    summary: "Get the result and the state of a run",
    query: z.object({
      wait: wholeNumber(
        `Maximum number of seconds to wait until no call is in flight, ${longestWait} at most. Default: 0.`,
      ),
    }),
    statuses: {
      200: "The run has finished.",
      202: "The run has not finished. The result contains the finished work so far.",
    },
    result: resultBody,
  },
  readEvents: {
    ...defaults,
    method: "get",
    path: "/v1/runs/{id}/events",
    summary: "Stream all events of a run as server-sent events, past events first",
    query: z.object({
      after: wholeNumber("Number of the last event that you have. Only later events are sent."),
      token: z
        .string()
        .optional()
        .describe("The token, for EventSource, which cannot send headers."),
    }),
    headers: z.object({
      "last-event-id": wholeNumber("The same as `after`. Takes precedence over it."),
    }),
    statuses: {
      200: "The id of an event is its seq. Events named `delta` contain text that a model is streaming and have no id. When the run has finished, an event named `end` is sent.",
    },
    result: "text/event-stream",
  },
  readDrawing: {
    ...defaults,
    method: "get",
    path: "/v1/runs/{id}/drawing",
    summary: "Draw the chart of a run as SVG",
    statuses: {
      200: "The drawing. Elements of agents have the attribute `data-agents` with the ids of the agents.",
    },
    result: "image/svg+xml",
  },
  resume: {
    ...defaults,
    method: "post",
    path: "/v1/runs/{id}/resume",
    summary: "Resume a run that no process executes",
    statuses: { 200: "The resumed run." },
    result: runBody,
  },
} as const

const messageOperation = (type: RunMessage["type"], summary: string) => ({
  ...defaults,
  method: "post" as const,
  path: `/v1/runs/{id}/${type}`,
  summary,
  body: messageBodies[type],
  statuses: { 200: "The journal has stored the message." },
  result: runBody,
})

/** API operations that send a message to a run, by message type. */
export const messageOperations = {
  say: messageOperation("say", "Send a user message"),
  approve: messageOperation("approve", "Approve proposed calls, optionally with other arguments"),
  reject: messageOperation("reject", "Reject proposed calls"),
  answer: messageOperation("answer", "Answer a question or a consent"),
  deliver: messageOperation("deliver", "Deliver the result of a long-running tool call"),
  end: messageOperation("end", "End the conversation and complete the run"),
  cancel: messageOperation("cancel", "Cancel the run and abort the calls in flight"),
} satisfies Readonly<Record<RunMessage["type"], object>>

import { CallFailedError } from "../../machines/contract/services.js"
import type {
  ErrorContext,
  GraphNotification,
  NodeAnswer,
  NodeRequest,
  NodeResponse,
  NodeService,
  NodeTask,
} from "../../machines/contract/graphs/node-service.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import {
  createCallEndpoint,
  EndpointFailed,
  type HttpServiceOptions,
} from "./endpoint/call-endpoint.js"
import type { FilledEndpoint, FillMode } from "./endpoint/fill-endpoint.js"
import { fillValue, isEveryTrue, valuesOfConditions } from "./endpoint/node-expressions.js"
import type { HttpCall } from "./client/http-client.js"
import type { ResponseHeaders } from "./client/http-outcome.js"
import { readJson } from "./client/read-json.js"
import type { Mask } from "./secrets/mask-secrets.js"

/**
 * Creates a service for the HTTP nodes of task graphs (docs/semantics.md#http-nodes). It sends the
 * requests of the nodes and evaluates their templates.
 */
export function createHttpNodeService(options: HttpServiceOptions): NodeService {
  const callEndpoint = createCallEndpoint(options)

  async function send(
    request: NodeRequest,
    task: Extract<NodeTask, { type: "send" }>,
    signal: AbortSignal,
  ): Promise<NodeAnswer> {
    const { node, endpoint, strict, startedAt, scope } = request
    const caller = { subject: `node "${node}"`, failureCode: "node_failed" } as const
    const mode: FillMode = {
      missing: strict ? "fail" : "omit",
      now: startedAt,
      insertsNull: true,
      anyBody: true,
    }
    const toCall = (filled: FilledEndpoint): Omit<HttpCall, "method" | "publicOnly"> =>
      httpCall(filled, endpoint?.body !== undefined, task.errorContext)
    try {
      const { answer, mask } = await callEndpoint(
        request,
        { ...scope },
        caller,
        toCall,
        signal,
        undefined,
        mode,
      )
      const response = responseOf(answer.status, answer.headers, answer.text, mask)
      return await afterResponse(request, task, response)
    } catch (error) {
      if (!(error instanceof EndpointFailed)) throw error
      const { outcome, mask, failure } = error
      const { status, headers, body } = outcome
      // A network error is a failure of the call. A response with an error status is returned.
      if (status === undefined || headers === undefined || status < 300) throw error
      return { response: responseOf(status, headers, body, mask), failure }
    }
  }

  async function notify(
    request: NodeRequest,
    { time, data, ...about }: GraphNotification,
    signal: AbortSignal,
  ): Promise<null> {
    const caller = { subject: "the webhook", failureCode: "node_failed" } as const
    const body = { ...about, data: { timestamp: time, ...data } }
    const toCall = ({ url, headers }: FilledEndpoint): Omit<HttpCall, "method" | "publicOnly"> => ({
      url,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
    await callEndpoint(request, { ...request.scope }, caller, toCall, signal)
    return null
  }

  return {
    async call(request, { signal }) {
      const { task, node, scope } = request
      switch (task.type) {
        case "send":
          return send(request, task, signal)
        case "fill":
          return (await fillValue(task.value, { ...scope }, request)) ?? null
        case "notify":
          return notify(request, task.notification, signal)
        case "check": {
          const { conditions, ending = 0, response } = task
          const evaluate = async (texts: readonly string[]): Promise<readonly boolean[]> => {
            const values = await valuesOfConditions(texts, scope, response, request)
            if (typeof values === "string") throw conditionFailed(node, values)
            return values
          }
          const ends = await evaluate(conditions.slice(0, ending))
          return ends.includes(true)
            ? ends
            : [...ends, ...(await evaluate(conditions.slice(ending)))]
        }
      }
    },
  }
}

const conditionFailed = (node: string, message: string): CallFailedError =>
  new CallFailedError({
    code: "condition_failed",
    message: `node "${node}": ${message}`,
    retryable: false,
  })

/**
 * Evaluates the `pollUntil` and `outputMapping` expressions of a graph node when its HTTP response
 * has arrived.
 */
async function afterResponse(
  request: NodeRequest,
  { pollUntil = [], outputMapping }: Extract<NodeTask, { type: "send" }>,
  response: NodeResponse,
): Promise<NodeAnswer> {
  const { node, scope } = request
  const polled = await valuesOfConditions(pollUntil, scope, response, request)
  if (typeof polled === "string")
    return { response, failure: conditionFailed(node, polled).failure }
  if (!isEveryTrue(polled)) return { response, polls: true }
  if (outputMapping === undefined) return { response }
  try {
    // Keys whose template has no value are omitted, even in strict mode.
    const mapped = await fillValue(
      outputMapping,
      { ...scope, ...response },
      { ...request, strict: false },
    )
    return { response, mapped: isJsonObject(mapped) ? mapped : {} }
  } catch (error) {
    if (!(error instanceof CallFailedError)) throw error
    return { response, failure: error.failure }
  }
}

function httpCall(
  { url, headers, value, method }: FilledEndpoint,
  hasBody: boolean,
  errorContext: ErrorContext | undefined,
): Omit<HttpCall, "method" | "publicOnly"> {
  const accept = { accept: "application/json, */*;q=0.5", ...headers }
  const withContext =
    errorContext === undefined
      ? value
      : {
          ...(isJsonObject(value) && value),
          errorContext: { ...errorContext },
        }
  const isSent = (hasBody || errorContext !== undefined) && withContext !== undefined
  if (!isSent || method === "GET" || method === "HEAD") return { url, headers: accept, body: null }
  const isText = typeof withContext === "string"
  return {
    url,
    headers: { "content-type": isText ? "text/plain" : "application/json", ...accept },
    body: isText ? withContext : JSON.stringify(withContext),
  }
}

function responseOf(
  statusCode: number,
  headers: ResponseHeaders,
  text: string,
  mask: Mask,
): NodeResponse {
  const json = text === "" ? null : readJson(text)
  const data = json === null ? null : json.ok ? json.value : text
  const named = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name.toLowerCase(), typeof value === "string" ? value : value.join(", ")] as const],
  )
  return {
    data: mask.value(data),
    statusCode,
    headers: Object.fromEntries(named.map(([name, value]) => [name, mask.text(value)])),
  }
}

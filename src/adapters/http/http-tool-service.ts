import type { ToolArguments, ToolRequest, ToolService } from "../../machines/contract/services.js"
import { createCallEndpoint, type HttpServiceOptions } from "./endpoint/call-endpoint.js"
import { operationRequest } from "./endpoint/operation-request.js"
import type { FilledEndpoint } from "./endpoint/fill-endpoint.js"
import type { HttpCall } from "./client/http-client.js"
import { readJson } from "./client/read-json.js"

const withoutBody = new Set(["GET", "HEAD", "DELETE"])

/**
 * Creates a service that calls tools over HTTP (docs/semantics.md#tools). A request contains
 * `tool_name`, `arguments`, `session_state`, `context: {call_id, run_id, agent_id}` and the body
 * fields of the endpoint. If a person has granted a secret, `context.granted_secret` is its name.
 * GET, HEAD and DELETE requests have no body and contain the arguments in the query. The request
 * for an operation of an OpenAPI document contains only the arguments of the call.
 *
 * The call resolves to the JSON of the response. If the response is not JSON, the call resolves to
 * its text, which may be empty.
 */
export function createHttpToolService(options: HttpServiceOptions): ToolService {
  const callEndpoint = createCallEndpoint(options)
  return {
    async call(request, { signal }) {
      const caller = {
        subject: `tool "${request.tool}" of agent "${request.agent}"`,
        failureCode: "tool_call_failed",
      } as const
      // The state is a getter, because it is serialized only when it is read. A GET request without
      // templates does not read the state.
      const scope = {
        get state() {
          return request.state
        },
        context: request.context,
        ...request.graph,
      }
      const toCall = (filled: FilledEndpoint): Omit<HttpCall, "method" | "publicOnly"> =>
        request.endpoint?.operation !== undefined
          ? operationRequest(request.endpoint.operation, request.tool, request.arguments, filled)
          : withoutBody.has(filled.method)
            ? queryCall(request, filled)
            : bodyCall(request, filled)
      const { answer, mask, malformed } = await callEndpoint(request, scope, caller, toCall, signal)
      const value = readResult(answer.text, answer.contentType)
      if (!value.ok) throw malformed(value.reason)
      return mask.value(value.value)
    },
  }
}

function bodyCall(
  request: ToolRequest,
  filled: FilledEndpoint,
): Omit<HttpCall, "method" | "publicOnly"> {
  const { tool, callId, runId, agent, grantedSecret, state } = request
  const context = {
    call_id: callId,
    run_id: runId,
    agent_id: agent,
    ...(grantedSecret !== null && { granted_secret: grantedSecret }),
  }
  return {
    url: filled.url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, */*;q=0.5",
      ...filled.headers,
    },
    body: JSON.stringify({
      ...filled.body,
      tool_name: tool,
      arguments: request.arguments,
      session_state: state,
      context,
    }),
  }
}

function queryCall(
  request: ToolRequest,
  filled: FilledEndpoint,
): Omit<HttpCall, "method" | "publicOnly"> {
  const url = new URL(filled.url)
  url.search = withArguments(url, request.arguments)
  return { url, headers: { accept: "application/json, */*;q=0.5", ...filled.headers }, body: null }
}

/**
 * Returns the query of a URL with the tool arguments added to it. Query parameters of the config
 * take precedence, for example `?tenant=acme`, so that a model cannot replace them.
 */
function withArguments(url: URL, args: ToolArguments): string {
  const added = Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined || url.searchParams.has(name)) return []
    return [
      `${queryText(name)}=${queryText(typeof value === "string" ? value : JSON.stringify(value))}`,
    ]
  })
  return [url.search.replace(/^\?/, ""), ...added].filter((pair) => pair !== "").join("&")
}

const queryText = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * Converts the text of an HTTP response to the result of a tool. Objects and arrays are parsed as
 * JSON. A plain text remains a string, even if it looks like a number.
 */
function readResult(text: string, contentType: string): ReturnType<typeof readJson> {
  if (/^text\/(?!json)/i.test(contentType) && !/^\s*[[{]/.test(text))
    return { ok: true, value: text }
  const json = readJson(text)
  return json.ok || json.reason.startsWith("JSON") ? json : { ok: true, value: text }
}

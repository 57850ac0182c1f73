import type { ToolArguments, ToolRequest, ToolService } from "../../machines/contract/services.js"
import { createCallEndpoint, type HttpServiceOptions } from "./endpoint/call-endpoint.js"
import type { FilledEndpoint } from "./endpoint/fill-endpoint.js"
import type { HttpCall } from "./client/http-client.js"
import { readJson } from "./client/read-json.js"

const withoutBody = new Set(["GET", "HEAD", "DELETE"])

/**
 * Calls a tool over HTTP (docs/semantics.md#tools). Sends `tool_name`, `arguments`, `session_state`,
 * `context: {call_id, run_id, agent_id}` and the fields of the endpoint's body.
 * `context.granted_secret` is the name of a secret that a person granted. GET, HEAD and DELETE send
 * the arguments in the query instead.
 *
 * Resolves with the JSON of the response, or with its text if it is not JSON ("" if it is empty).
 */
export function createHttpToolService(options: HttpServiceOptions): ToolService {
  const callEndpoint = createCallEndpoint(options)
  return {
    async call(request, { signal }) {
      const caller = {
        subject: `tool "${request.tool}" of agent "${request.agent}"`,
        failureCode: "tool_call_failed",
      } as const
      // The state is serialized only when it is read. A GET without templates does not need it.
      const scope = {
        get state() {
          return request.state
        },
        context: request.context,
      }
      const toCall = (filled: FilledEndpoint): Omit<HttpCall, "method" | "publicOnly"> =>
        withoutBody.has(filled.method) ? queryCall(request, filled) : bodyCall(request, filled)
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
    ...(grantedSecret === null ? {} : { granted_secret: grantedSecret }),
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
 * Appends arguments to the query. Parameters of the config take precedence: a model cannot replace
 * `?tenant=acme`.
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
 * Reads a tool result. Plain text stays text, even if it looks like a number. Objects and lists are
 * parsed as JSON.
 */
function readResult(text: string, contentType: string): ReturnType<typeof readJson> {
  if (/^text\/(?!json)/i.test(contentType) && !/^\s*[[{]/.test(text))
    return { ok: true, value: text }
  const json = readJson(text)
  return json.ok || json.reason.startsWith("JSON") ? json : { ok: true, value: text }
}

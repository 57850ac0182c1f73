import type {
  CallOptions,
  HttpEndpoint,
  ModelRequest,
  ToolRequest,
} from "../../src/machines/contract/services.js"

const identity = {
  runId: "run-1",
  agent: "writer",
  path: "writer",
  branch: null,
  idempotencyKey: "run-1/writer#1",
  attempt: 1,
}

/** Returns a model call of the agent "writer". `endpoint` can be a URL. */
export const modelRequest = (
  endpoint: string | HttpEndpoint,
  more: Partial<ModelRequest> = {},
): ModelRequest => ({
  ...identity,
  model: null,
  endpoint: endpointOf(endpoint),
  messages: [{ role: "user", content: "go" }],
  tools: [],
  state: {},
  context: {},
  ...more,
})

/** Returns a call of the tool "find" by the agent "writer". */
export const toolRequest = (
  endpoint: string | HttpEndpoint,
  more: Partial<ToolRequest> = {},
): ToolRequest => ({
  ...identity,
  idempotencyKey: "run-1/writer/find#1",
  tool: "find",
  endpoint: endpointOf(endpoint),
  callId: "call_1",
  arguments: {},
  state: {},
  context: {},
  grantedSecret: null,
  ...more,
})

const endpointOf = (endpoint: string | HttpEndpoint): HttpEndpoint =>
  typeof endpoint === "string" ? { url: endpoint, method: "POST" } : endpoint

/** For calls that are never aborted. */
export const noOptions: CallOptions = { signal: new AbortController().signal }

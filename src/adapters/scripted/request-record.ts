import { isHelper } from "../../machines/model-call/helper-agents.js"
import { toolNameHeader } from "../http/endpoint/operation-request.js"
import type { ScriptedCall, ScriptedKind, ScriptPosition } from "./script-position.js"

/**
 * An HTTP request that the scripted service for tests has received. A nullable field is null until
 * its value is known.
 */
export interface RequestRecord {
  readonly kind: ScriptedKind
  /** Id of the called agent, tool or graph node, from the URL or the idempotency key. */
  readonly id: string
  /**
   * Number of earlier requests with the same kind and id. Repeated attempts of a call are also
   * counted.
   */
  readonly nth: number
  readonly method: string
  /** Requested URL. It is percent-encoded, and its host is the value of the `Host` header. */
  readonly url: string
  /** Headers of the request by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Decoded query parameters by name. If a parameter is repeated, the record contains its last
   * value.
   */
  readonly query: Readonly<Record<string, string>>
  /**
   * Body of the request as parsed JSON, or as text if it is not JSON. null if there was no body.
   */
  readonly body: unknown
  /** Time at which the request arrived, in milliseconds since the epoch. */
  readonly at: number
  /** Time at which the response was complete, in milliseconds since the epoch. null until then. */
  readonly finishedAt: number | null
  /** Whether the client closed the connection before the response was complete. */
  readonly aborted: boolean
  /** HTTP status of the response. null if no response was sent. */
  readonly status: number | null
}

/** An HTTP request to the scripted service whose body was read completely. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Parses a request to the scripted service and determines the agent, tool or graph node to which it
 * belongs. A JSON body with `tool_name` belongs to a tool call, and a body with `messages` to the
 * model call of an agent. For any other request, the idempotency key and the URL determine whether
 * it belongs to a graph node or a tool. The name of an agent or tool is read from the URL, or else
 * from the idempotency key or `tool_name`.
 */
export function readRequest(
  incoming: IncomingRequest,
  position: ScriptPosition,
): Pick<RequestRecord, "kind" | "id" | "query" | "body"> & { readonly call: ScriptedCall } {
  const body = parseBody(incoming.text)
  const messages = fieldOf(body, "messages")
  const url = new URL(incoming.url)
  const segments = url.pathname
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded)
  const isKnown = (known: ScriptedKind): boolean =>
    segments.some((segment) => position.hasResponses(known, segment))
  const node = nodeOf(incoming)
  const isNode = node !== null && position.hasResponses("http", node)
  // The request for an operation of an OpenAPI document has no `tool_name` in its body.
  const operation = incoming.headers[toolNameHeader]
  const kind: ScriptedKind =
    fieldOf(body, "tool_name") !== undefined || operation !== undefined
      ? "tool"
      : Array.isArray(messages)
        ? "llm"
        : isNode || (isKnown("http") && !isKnown("tool"))
          ? "http"
          : "tool"
  // Agents and tools can share a URL that contains none of their names.
  const toolName = fieldOf(body, "tool_name")
  const caller = kind === "llm" ? node : typeof toolName === "string" ? toolName : null
  // A summarizer has the URL of its agent.
  const summarizer = kind === "llm" ? summarizerOf(incoming) : null
  const id =
    kind === "http" && isNode
      ? node
      : (operation ??
        summarizer ??
        [...segments, caller].find((one) => one !== null && position.hasResponses(kind, one)) ??
        segments.at(-1) ??
        "")
  const query = Object.fromEntries(url.searchParams)
  return {
    kind,
    id,
    body,
    query,
    call: {
      text:
        kind === "http" || operation !== undefined
          ? `${incoming.url} ${incoming.text}`
          : Array.isArray(messages)
            ? lastUserText(messages)
            : JSON.stringify(fieldOf(body, "arguments") ?? query),
      state: fieldOf(body, "state"),
    },
  }
}

/**
 * Reads the id of the graph node or agent that has sent a request from the idempotency key. Returns
 * null if the key has another format. Example: `company` for `run/graph/each[0]/company#0`.
 */
const nodeOf = ({ headers }: IncomingRequest): string | null =>
  /\/([A-Za-z0-9_]+)#\d+$/.exec(headers["idempotency-key"] ?? "")?.[1] ?? null

/**
 * Reads the id of the summarizer (the helper agent that summarizes long conversations) that has
 * sent a request from the idempotency key. Returns null if another agent has sent the request.
 */
function summarizerOf({ headers }: IncomingRequest): string | null {
  const caller = /\/([^/]+)#\d+$/.exec(headers["idempotency-key"] ?? "")?.[1] ?? ""
  return isHelper(caller) ? caller : null
}

function parseBody(text: string): unknown {
  if (text === "") return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function lastUserText(messages: readonly unknown[]): string {
  const content = fieldOf(
    messages.findLast((message) => fieldOf(message, "role") === "user"),
    "content",
  )
  return typeof content === "string" ? content : (JSON.stringify(content) ?? "")
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

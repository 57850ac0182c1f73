import type { ScriptedKind, ScriptPosition } from "./script-position.js"

/** A request to the scripted service. Fields are null until their value is known. */
export interface RequestRecord {
  readonly kind: ScriptedKind
  /** Id of the agent or tool in the URL. */
  readonly id: string
  /** Number of earlier requests of this agent or tool. Each attempt of a retry counts. */
  readonly nth: number
  readonly method: string
  /** The requested URL with its percent-encoding and the host of the `Host` header. */
  readonly url: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded query parameters. If a name is repeated, its last value. */
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON, or the text if it is not JSON. null if the request had no body. */
  readonly body: unknown
  /** When the request arrived, in milliseconds since the epoch. */
  readonly at: number
  /** When the response was complete, in milliseconds since the epoch. */
  readonly finishedAt: number | null
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean
  /** HTTP status of the response. null before the response, and if the connection was reset. */
  readonly status: number | null
}

/** An HTTP request with its whole body. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Returns which agent or tool a request calls. A request with `messages` in its JSON body calls a
 * model, any other request calls a tool.
 */
export function readRequest(
  incoming: IncomingRequest,
  position: ScriptPosition,
): Pick<RequestRecord, "kind" | "id" | "query" | "body"> & { readonly lastUserMessage: string } {
  const body = parseBody(incoming.text)
  const messages = fieldOf(body, "messages")
  const kind = Array.isArray(messages) && fieldOf(body, "tool_name") === undefined ? "llm" : "tool"
  const url = new URL(incoming.url)
  const segments = url.pathname
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded)
  const id = segments.find((segment) => position.knows(kind, segment)) ?? segments.at(-1) ?? ""
  return {
    kind,
    id,
    body,
    query: Object.fromEntries(url.searchParams),
    lastUserMessage: Array.isArray(messages) ? lastUserText(messages) : "",
  }
}

function parseBody(text: string): unknown {
  if (text === "") return null
  try {
    return JSON.parse(text) as unknown
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

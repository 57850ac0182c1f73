import type { ScriptedKind, ScriptPosition } from "./script-position.js"

/** One request as it came in. It grows: what is null is not known yet. */
export interface RequestRecord {
  readonly kind: ScriptedKind
  /** The agent or tool that the URL names. */
  readonly id: string
  /** 0 for the first request of this agent or tool, attempts counted. */
  readonly nth: number
  readonly method: string
  /** As requested: percent-encoding untouched, host from the `Host` header. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded; of a repeated name the last value. */
  readonly query: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else the text; null where there was none. */
  readonly body: unknown
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly finishedAt: number | null
  /** The client went away before the answer was complete. */
  readonly aborted: boolean
  /** Status of the answer; null while there is none, and for a reset. */
  readonly status: number | null
}

export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What a request is about: one with `messages` in its JSON body calls a model, any other a tool. */
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

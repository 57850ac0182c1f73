import { isJsonObject, isList } from "../../../machines/data/json-object.js"
import { readJson } from "../../http/client/read-json.js"

/**
 * The end of a streamed model response. It is a complete chat completion, an error that the server
 * has sent, or the reason why the response is incomplete.
 */
export type StreamEnd =
  | { readonly type: "completion"; readonly completion: unknown }
  | { readonly type: "error"; readonly error: unknown }
  | { readonly type: "malformed"; readonly reason: string }

export interface ChatStream {
  /** Processes the data of one server-sent event, which is a chunk of the chat completion. */
  read(data: string): void
  /**
   * Returns the end of the response. Returns null if no events were received, because the response
   * was then not a stream.
   */
  end(): StreamEnd | null
}

interface StreamedCall {
  id: string | undefined
  name: string
  readonly args: string[]
}

/**
 * Creates a reader that assembles a chat completion from the chunks of a stream. `onText` receives
 * the text as it arrives.
 */
export function chatStream(onText: (text: string) => void): ChatStream {
  const texts: Record<"content" | "refusal", string | null> = { content: null, refusal: null }
  const calls: StreamedCall[] = []
  const byIndex = new Map<number, StreamedCall>()
  let finish: string | null = null
  let usage: unknown = null
  let isDone = false
  let hasStarted = false
  let failed: StreamEnd | null = null

  const readText = (field: "content" | "refusal", text: unknown): void => {
    if (typeof text !== "string") return
    texts[field] = (texts[field] ?? "") + text
    onText(text)
  }

  /**
   * Returns the tool call to which a chunk of the stream belongs. Chunks of the same call normally
   * have the same index. Some servers send complete calls without an index, or several calls that
   * have the same index but different ids.
   */
  const callFor = (index: unknown, id: string | undefined): StreamedCall => {
    const known =
      typeof index === "number" ? byIndex.get(index) : id === undefined ? calls.at(-1) : undefined
    if (known !== undefined && (id === undefined || known.id === undefined || known.id === id))
      return known
    const call: StreamedCall = { id, name: "", args: [] }
    calls.push(call)
    if (typeof index === "number") byIndex.set(index, call)
    return call
  }

  const readCall = (piece: unknown): void => {
    if (!isJsonObject(piece)) return
    const id = typeof piece["id"] === "string" && piece["id"] !== "" ? piece["id"] : undefined
    const call = callFor(piece["index"], id)
    call.id ??= id
    const called = piece["function"]
    if (!isJsonObject(called)) return
    if (typeof called["name"] === "string" && call.name === "") call.name = called["name"]
    const args = called["arguments"]
    if (typeof args === "string") call.args.push(args)
    else if (isJsonObject(args)) call.args.push(JSON.stringify(args))
  }

  const readChunk = (chunk: Readonly<Record<string, unknown>>): void => {
    usage = chunk["usage"] ?? usage
    const choices: unknown = chunk["choices"]
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (!isJsonObject(choice)) return
    if (typeof choice["finish_reason"] === "string") finish = choice["finish_reason"]
    const delta = choice["delta"] ?? choice["message"]
    if (!isJsonObject(delta)) return
    readText("content", delta["content"])
    readText("refusal", delta["refusal"])
    const pieces: unknown = delta["tool_calls"]
    if (isList(pieces)) for (const piece of pieces) readCall(piece)
  }

  const completion = (): unknown => {
    // An empty text counts as no text if there are tool calls or the token limit was reached.
    const hasText =
      texts.content !== null &&
      (texts.content !== "" || (calls.length === 0 && finish !== "length"))
    const toolCalls = calls.map(({ id, name, args }) => ({
      ...(id !== undefined && { id }),
      function: { ...(name !== "" && { name }), arguments: args.join("") },
    }))
    const message = {
      content: hasText ? texts.content : null,
      refusal: texts.refusal,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    }
    return { choices: [{ message, finish_reason: finish }], usage }
  }

  return {
    read(data) {
      if (failed !== null || isDone || data.trim() === "") return
      hasStarted = true
      if (data.trim() === "[DONE]") {
        isDone = true
        return
      }
      const json = readJson(data)
      if (!json.ok || !isJsonObject(json.value))
        failed = {
          type: "malformed",
          reason: `a stream that contains an event that is ${json.ok ? "not a JSON object" : json.reason}`,
        }
      else if (json.value["error"] !== undefined && json.value["error"] !== null)
        failed = { type: "error", error: json.value["error"] }
      else readChunk(json.value)
    },
    end() {
      if (!hasStarted || failed !== null) return failed
      if (!isDone && finish === null)
        return { type: "malformed", reason: "a stream that ended before the response was complete" }
      return { type: "completion", completion: completion() }
    },
  }
}

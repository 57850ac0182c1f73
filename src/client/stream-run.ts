import { createParser } from "eventsource-parser"
import type { RunEvent } from "../machines/contract/run-event.js"
import { ClientError, isTemporary } from "./client-error.js"
import type { ServerConnection } from "./connection.js"

/**
 * An item of a run's event stream. It is an event, a piece of model text, or a change of the
 * connection.
 */
export type StreamPart =
  /** An event of the run, as the server's journal stores it. */
  | { readonly type: "event"; readonly event: RunEvent }
  /**
   * A piece of the text that a model is generating (a delta). After a reconnection, the server
   * sends all pieces of the unfinished response again.
   */
  | { readonly type: "delta"; readonly delta: RunEvent }
  /** The connection was opened or lost. A lost connection is reopened automatically. */
  | { readonly type: "connection"; readonly isConnected: boolean }

export interface StreamOptions {
  /**
   * The `seq` (sequence number) of the last event that you already have. Only later events are
   * sent. Default: all events.
   */
  readonly after?: number
  /** Signal that ends the stream when it is aborted. */
  readonly signal?: AbortSignal
}

/**
 * Delay in milliseconds before the first attempt to reconnect, and the maximum delay between
 * attempts.
 */
const [firstDelay, longestDelay] = [250, 10_000]

/**
 * Yields the stream items of a run until the run has finished. Reconnects when the connection is
 * lost. Each event is yielded exactly once and in order, even if the server restarts.
 */
export async function* streamRun(
  connection: ServerConnection,
  runId: string,
  { after = -1, signal }: StreamOptions = {},
): AsyncGenerator<StreamPart, void, undefined> {
  let last = after
  let failures = 0
  while (!isAborted(signal)) {
    let isConnected = false
    try {
      const response = await connection.send("readEvents", {
        id: runId,
        signal,
        headers: {
          accept: "text/event-stream",
          ...(last >= 0 && { "last-event-id": `${last}` }),
        },
      })
      isConnected = true
      yield { type: "connection", isConnected }
      for await (const { event, data } of messagesOf(response)) {
        if (event === "end") return
        const parsed = eventOf(data)
        failures = 0
        if (event === "delta") yield { type: "delta", delta: parsed }
        else {
          last = parsed.seq
          yield { type: "event", event: parsed }
        }
      }
    } catch (error) {
      if (isAborted(signal)) return
      // If an open connection is lost, `fetch` throws an error that is not a ClientError.
      if (error instanceof ClientError ? !isTemporary(error) : !isConnected) throw error
    }
    if (isConnected) yield { type: "connection", isConnected: false }
    await wait(Math.min(firstDelay * 2 ** failures++, longestDelay), signal)
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

function eventOf(data: string): RunEvent {
  try {
    return JSON.parse(data) as RunEvent
  } catch (cause) {
    throw new ClientError("invalid_response", "the server sent an event that is not JSON", {
      cause,
    })
  }
}

interface StreamMessage {
  readonly event?: string | undefined
  readonly data: string
}

async function* messagesOf(response: Response): AsyncGenerator<StreamMessage> {
  if (response.body === null)
    throw new ClientError("invalid_response", "the event stream of the server has no body")
  const messages: StreamMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  // Uses a reader, because browsers before 2025 do not support `for await` on streams.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(value)
      yield* messages.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {
      // If the stream has failed, the loop above has already thrown its error.
    })
  }
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    if (signal?.aborted === true) finish()
    else signal?.addEventListener("abort", finish, { once: true })
  })

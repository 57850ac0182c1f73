import { createParser } from "eventsource-parser"
import type { RunEvent } from "../../api.js"
import { token } from "./token.js"

/** A listener for the events of a run and for changes of the connection. */
export interface RunEventListener {
  /** Called with each event, including `model.delta` (a piece of model text). */
  onEvent(event: RunEvent): void
  /** Called once, after the last event of the run. */
  onEnd(): void
  /** Called when the connection to the server is opened, and when it is lost. */
  onConnection(isOpen: boolean): void
}

/** Delay in milliseconds before each attempt to reconnect. */
const retryDelay = 1_000

/**
 * Subscribes to the events of a run, starting with the event whose number is `from`. After a lost
 * connection, the subscription continues with the next event. Returns a function that unsubscribes.
 * The browser's `EventSource` is not used, because it would require the token in the URL.
 */
export function followEvents(runId: string, listener: RunEventListener, from = 0): () => void {
  const controller = new AbortController()
  void follow(runId, listener, from, controller.signal)
  return () => controller.abort()
}

/**
 * Reads the events of a run whose numbers are at least `from` and less than `to`. Calls `onDone`
 * after the last of these events. Returns a function that aborts the reading.
 */
export function readEvents(
  runId: string,
  { from, to }: { readonly from: number; readonly to: number },
  { onEvent, onDone }: { readonly onEvent: (event: RunEvent) => void; readonly onDone: () => void },
): () => void {
  const stop = followEvents(
    runId,
    {
      onEvent(event) {
        if (event.type === "model.delta") return
        onEvent(event)
        if (event.seq < to - 1) return
        stop()
        onDone()
      },
      onEnd: onDone,
      onConnection() {},
    },
    from,
  )
  return stop
}

async function follow(
  runId: string,
  { onEvent, onEnd, onConnection }: RunEventListener,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let last = from === 0 ? undefined : String(from - 1)
  let hasEnded = false
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (signal.aborted) return
      last = id ?? last
      if (event === "end") hasEnded = true
      else onEvent(JSON.parse(data) as RunEvent)
    },
  })
  while (!signal.aborted) {
    try {
      const response = await fetch(`/api/runs/${encodeURIComponent(runId)}/events`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(last !== undefined && { "last-event-id": last }),
        },
        signal,
      })
      // Error responses are ignored. Other requests of the page report why a run cannot be read.
      if (response.ok && response.body !== null) {
        onConnection(true)
        parser.reset()
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
        for (let read = await reader.read(); !read.done; read = await reader.read())
          parser.feed(read.value)
      }
    } catch {
      // The connection was lost or refused. The loop connects again.
    }
    if (signal.aborted) return
    if (hasEnded) return onEnd()
    onConnection(false)
    await new Promise((resolve) => setTimeout(resolve, retryDelay))
  }
}

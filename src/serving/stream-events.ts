import type { Context } from "hono"
import { streamSSE } from "hono/streaming"
import type { EventSource } from "./live-run.js"

/**
 * The events of a run as server-sent events, numbered by their `seq`, after the one that the reader has. Each write waits for the reader, so that a
 * slow one holds nothing but its own place. When nothing more will come, an event `end` says so.
 */
export function streamEvents(context: Context, source: EventSource, last: number | undefined): Response {
  return streamSSE(context, async (stream) => {
    const closed = new AbortController()
    stream.onAbort(() => closed.abort())
    let next = last === undefined ? 0 : last + 1
    while (!closed.signal.aborted) {
      for (let event = source.events[next]; event !== undefined && !closed.signal.aborted; event = source.events[++next]) {
        await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
      }
      if (source.isOver && next >= source.events.length) break
      await source.changed(closed.signal)
    }
    if (!closed.signal.aborted) await stream.writeSSE({ event: "end", data: "" })
  })
}

import type { Context } from "hono"
import { streamSSE } from "hono/streaming"
import { deltaReader } from "./partial-responses.js"
import type { EventFeed } from "./live-run.js"

/** Milliseconds after which a comment is sent, because proxies close idle connections. */
const heartbeat = 15_000

/**
 * Streams the events of a run as server-sent events whose ids are their `seq`. If `last` is set,
 * the stream starts with the event after it.
 *
 * Text that models are streaming is sent between them in events named `delta`, which have no id: a
 * new connection first receives the text so far, and a slow reader receives fewer, larger deltas.
 * When the run has finished, an event named `end` is sent. If a stream closes without `end`, the
 * client can connect again.
 */
export function streamEvents(
  context: Context,
  source: EventFeed,
  last: number | undefined,
): Response {
  return streamSSE(context, async (stream) => {
    const closed = new AbortController()
    stream.onAbort(() => closed.abort())
    const readDeltas =
      source.partialResponses === null ? () => [] : deltaReader(source.partialResponses)
    let next = last === undefined ? 0 : last + 1
    while (!closed.signal.aborted) {
      for (
        let event = source.events[next];
        event !== undefined && !closed.signal.aborted;
        event = source.events[++next]
      ) {
        // Waits for the reader, so that a slow reader does not fill memory.
        await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
      }
      if (source.hasEnded && next >= source.events.length) break
      const deltas = readDeltas()
      for (const delta of deltas)
        await stream.writeSSE({ event: "delta", data: JSON.stringify(delta) })
      // While the deltas were written, more events may have been added.
      if (deltas.length > 0) continue
      if (!(await changedWithin(heartbeat, source, closed.signal)))
        await stream.write(": still here\n\n")
    }
    if (!closed.signal.aborted && source.events.at(-1)?.type === "run.finished")
      await stream.writeSSE({ event: "end", data: "" })
  })
}

/** Returns false if the feed did not change within `ms` milliseconds. */
async function changedWithin(ms: number, source: EventFeed, signal: AbortSignal): Promise<boolean> {
  const waiting = new AbortController()
  const stopWaiting = (): void => waiting.abort()
  signal.addEventListener("abort", stopWaiting, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stopWaiting()
  }, ms)
  await source.nextChange(waiting.signal)
  clearTimeout(timer)
  signal.removeEventListener("abort", stopWaiting)
  return !isLate
}

import type { Context } from "hono"
import { streamSSE } from "hono/streaming"
import { deltaReader } from "./partial-responses.js"
import type { EventFeed } from "./live-run.js"

/**
 * Interval in milliseconds at which a comment is sent on an idle event stream. Without these
 * comments, proxies would close the connection.
 */
const heartbeatMs = 15_000

/**
 * Sends the events of a run to an HTTP client as server-sent events. The id of each server-sent
 * event is the `seq` of the run event. If `last` is set, the stream starts after this `seq`.
 *
 * Text that models are generating is sent in events named `delta`, which have no id. A new client
 * first receives the text generated so far. A slow client receives fewer and longer deltas. After
 * the run has finished, an event named `end` is sent. If the stream closes without `end`, the
 * client should connect again. If the events can no longer be read, for example because the run was
 * deleted, the stream closes. The next request of the client then returns the error.
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
        // Waits until the event is written, so that events for a slow client do not accumulate in
        // memory.
        await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
      }
      if (source.hasEnded && next >= source.events.length) break
      const deltas = readDeltas()
      for (const delta of deltas)
        await stream.writeSSE({ event: "delta", data: JSON.stringify(delta) })
      // New events may have been added while the deltas were written.
      if (deltas.length > 0) continue
      const change = await changedWithin(heartbeatMs, source, closed.signal)
      if (change === "failed") return
      if (change === "late") await stream.write(": still here\n\n")
    }
    if (!closed.signal.aborted && source.events.at(-1)?.type === "run.finished")
      await stream.writeSSE({ event: "end", data: "" })
  })
}

/**
 * Waits until the list of events changes, `signal` is aborted, or `ms` milliseconds have passed.
 */
async function changedWithin(
  ms: number,
  source: EventFeed,
  signal: AbortSignal,
): Promise<"changed" | "aborted" | "late" | "failed"> {
  if (signal.aborted) return "aborted"
  const waiting = new AbortController()
  const stopWaiting = (): void => waiting.abort()
  signal.addEventListener("abort", stopWaiting, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stopWaiting()
  }, ms)
  try {
    await source.nextChange(waiting.signal)
    return signal.aborted ? "aborted" : isLate ? "late" : "changed"
  } catch {
    return "failed"
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", stopWaiting)
  }
}

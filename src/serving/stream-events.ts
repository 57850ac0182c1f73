import type { Context } from "hono"
import { streamSSE } from "hono/streaming"
import { deltaReader } from "./partial-responses.js"
import type { EventSource } from "./live-run.js"

/** What stands between may close a connection on which nothing happens for longer, in milliseconds. */
const heartbeat = 15_000

/**
 * The events of a run as server-sent events, numbered by their `seq`, after the one that the reader has. Each write waits for the reader, so that a
 * slow one holds nothing but its own place. What a model is saying comes between them as events `delta` without a number: a connection begins with
 * what has been said so far, who is slow gets fewer and larger ones, and the whole answer is in its `model.responded`. When the run has finished,
 * an event `end` says so; a stream that ends without it can be taken up again.
 */
export function streamEvents(
  context: Context,
  source: EventSource,
  last: number | undefined,
): Response {
  return streamSSE(context, async (stream) => {
    const closed = new AbortController()
    stream.onAbort(() => closed.abort())
    const said = source.saying === null ? () => [] : deltaReader(source.saying)
    let next = last === undefined ? 0 : last + 1
    while (!closed.signal.aborted) {
      for (
        let event = source.events[next];
        event !== undefined && !closed.signal.aborted;
        event = source.events[++next]
      ) {
        await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
      }
      if (source.isOver && next >= source.events.length) break
      const deltas = said()
      for (const delta of deltas)
        await stream.writeSSE({ event: "delta", data: JSON.stringify(delta) })
      // More may have come while they were written.
      if (deltas.length > 0) continue
      if (!(await changedWithin(heartbeat, source, closed.signal)))
        await stream.write(": still here\n\n")
    }
    if (!closed.signal.aborted && source.events.at(-1)?.type === "run.finished")
      await stream.writeSSE({ event: "end", data: "" })
  })
}

/** Whether there was more to read, or the reader left, before the time was up. */
async function changedWithin(
  ms: number,
  source: EventSource,
  signal: AbortSignal,
): Promise<boolean> {
  const waiting = new AbortController()
  const end = (): void => waiting.abort()
  signal.addEventListener("abort", end, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, ms)
  await source.changed(waiting.signal)
  clearTimeout(timer)
  signal.removeEventListener("abort", end)
  return !isLate
}

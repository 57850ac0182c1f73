import { Hono } from "hono"
import { expect, onTestFinished, test, vi } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { Deferred } from "../../src/runtime/async/deferred.js"
import type { EventFeed } from "../../src/serving/live-run.js"
import { streamEvents } from "../../src/serving/stream-events.js"

const event = { seq: 0, type: "run.started" } as RunEvent

/** Serves the events of a feed whose next change is `nextChange`. */
const served = (nextChange: EventFeed["nextChange"]): Response | Promise<Response> => {
  const feed: EventFeed = {
    events: [event],
    hasEnded: false,
    partialResponses: null,
    nextChange,
  }
  return new Hono().get("/", (context) => streamEvents(context, feed, undefined)).request("/")
}

test("a stream closes without `end` and prints nothing if its run is deleted", async () => {
  const print = vi.spyOn(console, "error")
  onTestFinished(() => print.mockRestore())
  const response = await served(() => Promise.reject(new Error("run_unknown")))
  expect(await response.text()).toBe(`data: ${JSON.stringify(event)}\nid: 0\n\n`)
  expect(print).not.toHaveBeenCalled()
})

test("a stream does not wait for more events if its client disconnects while an event is written", async () => {
  const waits = new Deferred<AbortSignal>()
  const response = await served((signal) => {
    waits.settle(signal)
    return new Promise(() => {})
  })
  await response.body?.cancel()
  // The event is written after the client has disconnected, and then the stream must not wait.
  await new Promise((resolve) => setImmediate(resolve))
  expect(await Promise.race([waits.promise, "no wait"])).toBe("no wait")
})

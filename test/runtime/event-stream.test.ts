import { from, map, take } from "rxjs"
import { describe, expect, test, vi } from "vitest"
import { createActor, fromObservable } from "xstate"
import type { EventStream, Subscriber } from "../../src/runtime/events/event-stream.js"
import { createEventStream } from "../../src/runtime/events/event-stream.js"

/** A stream of numbers, with the subscribers that are connected to it. */
function numbers(): { readonly stream: EventStream<number>; readonly all: Subscriber<number>[] } {
  const all: Subscriber<number>[] = []
  const stream = createEventStream<number>((subscriber) => {
    all.push(subscriber)
    return () => void all.splice(all.indexOf(subscriber), 1)
  })
  return { stream, all }
}

describe("an event stream", () => {
  test("passes values to each observer until it unsubscribes", () => {
    const { stream, all } = numbers()
    const [first, second]: [number[], number[]] = [[], []]
    const subscription = stream.subscribe((value) => first.push(value))
    stream.subscribe({ next: (value) => second.push(value) })
    for (const subscriber of all) subscriber.next(1)
    subscription.unsubscribe()
    subscription.unsubscribe()
    for (const subscriber of all) subscriber.next(2)
    expect([first, second]).toEqual([[1], [1, 2]])
    expect(all).toHaveLength(1)
  })

  test("completes once, removes the observer and emits nothing afterwards", () => {
    const { stream, all } = numbers()
    const seen: (number | "complete")[] = []
    stream.subscribe(
      (value) => seen.push(value),
      undefined,
      () => seen.push("complete"),
    )
    const [subscriber] = all
    subscriber?.complete()
    subscriber?.complete()
    subscriber?.next(1)
    expect(seen).toEqual(["complete"])
    expect(all).toEqual([])
  })

  test("cleans up after a stream that completes while it is connected", () => {
    const cleanup = vi.fn()
    createEventStream<number>((subscriber) => {
      subscriber.complete()
      return cleanup
    }).subscribe({})
    expect(cleanup).toHaveBeenCalledOnce()
  })

  test("reports an error of an observer as an unhandled rejection and continues", async () => {
    const listeners = process.listeners("unhandledRejection")
    process.removeAllListeners("unhandledRejection")
    try {
      const reported: unknown[] = []
      process.on("unhandledRejection", (cause) => reported.push(cause))
      const { stream, all } = numbers()
      const seen: number[] = []
      stream.subscribe((value) => {
        seen.push(value)
        if (value === 1) throw new Error("cannot handle 1")
      })
      for (const value of [1, 2]) all[0]?.next(value)
      expect(seen).toEqual([1, 2])
      await expect.poll(() => reported).toMatchObject([{ message: "cannot handle 1" }])
    } finally {
      process.removeAllListeners("unhandledRejection")
      for (const listener of listeners) process.on("unhandledRejection", listener)
    }
  })

  test("is an observable for RxJS, and unsubscribes when an operator completes", () => {
    const { stream, all } = numbers()
    const values: number[] = []
    from(stream)
      .pipe(
        map((value) => value + 1),
        take(2),
      )
      .subscribe((value) => values.push(value))
    for (const value of [1, 2, 3]) all[0]?.next(value)
    expect(values).toEqual([2, 3])
    expect(all).toEqual([])
  })

  test("is an observable for XState", () => {
    const { stream, all } = numbers()
    const actor = createActor(fromObservable(() => stream)).start()
    all[0]?.next(7)
    expect(actor.getSnapshot().context).toBe(7)
    actor.stop()
    expect(all).toEqual([])
  })
})

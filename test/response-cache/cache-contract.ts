import { describe, expect, test } from "vitest"
import { emptyAnswer } from "../../src/machines/model-call/empty-answer.js"
import type { ResponseCache } from "../../src/runtime/index.js"

/** Tests the contract of `ResponseCache`. Each test uses a new cache. */
export function describeResponseCache(name: string, open: () => ResponseCache): void {
  const response = (content: string, at: number, expiresAt: number) => ({
    answer: { ...emptyAnswer, content, usage: { inputTokens: 3, outputTokens: 2, cost: 0.5 } },
    at,
    expiresAt,
  })

  describe(`a response cache (${name})`, () => {
    test("returns a response until it expires", async () => {
      const cache = open()
      const stored = response("Hello \0 \ud800 ☃", 1_700_000_000_000, 1_700_000_000_100)
      await cache.write("request", stored)
      expect(await cache.read("request", 1_700_000_000_099)).toEqual(stored)
      expect(await cache.read("request", 1_700_000_000_100)).toBeNull()
    })

    test("distinguishes requests", async () => {
      const cache = open()
      const long = "x".repeat(100_000)
      await cache.write(`${long}a`, response("A", 1, 100))
      await cache.write(`${long}b`, response("B", 1, 100))
      expect((await cache.read(`${long}a`, 1))?.answer.content).toBe("A")
      expect((await cache.read(`${long}b`, 1))?.answer.content).toBe("B")
      expect(await cache.read(long, 1)).toBeNull()
    })

    test("replaces the response to a request", async () => {
      const cache = open()
      await cache.write("request", response("old", 1, 100))
      await cache.write("request", response("new", 2, 200))
      expect(await cache.read("request", 150)).toEqual(response("new", 2, 200))
    })

    test("deletes all responses", async () => {
      const cache = open()
      await cache.write("a", response("A", 1, 100))
      await cache.write("b", response("B", 1, 100))
      await cache.clear()
      expect(await cache.read("a", 1)).toBeNull()
      expect(await cache.read("b", 1)).toBeNull()
    })

    test("returns a new object for each read", async () => {
      const cache = open()
      await cache.write("request", response("A", 1, 100))
      const first = await cache.read("request", 1)
      Object.assign(first?.answer ?? {}, { content: "changed" })
      expect((await cache.read("request", 1))?.answer.content).toBe("A")
    })
  })
}

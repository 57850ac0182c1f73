import { describe, expect, test } from "vitest"
import type { MemoryService } from "../../src/runtime/index.js"

const ann = { appName: "shop", userId: "ann", sessionId: "monday" }

const said = (id: string, text: string, author = "user") => ({
  id,
  author,
  content: { role: author === "user" ? "user" : "model", parts: [{ text }] },
  timestamp: 1_790_000_000_000,
})

/** Tests the contract of a memory service. */
export function describeMemoryService(
  name: string,
  create: () => Required<MemoryService>,
  { folds = true }: { readonly folds?: boolean } = {},
): void {
  const texts = async (memory: MemoryService, query: string, more = {}): Promise<unknown[]> => {
    const { appName, userId } = ann
    const { memories } = await memory.searchMemory({ appName, userId, query, ...more })
    return memories.map(({ content }) => content.parts?.[0]?.text)
  }

  describe(`a memory service (${name})`, () => {
    test("a search finds the messages with a word of the query, the best first", async () => {
      const memory = create()
      await memory.addEventsToMemory({
        ...ann,
        events: [
          said("0", "I like green tea from Japan."),
          said("1", "Your bike is green.", "guide"),
          said("2", "Nothing else."),
        ],
      })
      expect(await texts(memory, "green TEA?")).toEqual([
        "I like green tea from Japan.",
        "Your bike is green.",
      ])
      expect(await texts(memory, "coffee")).toEqual([])
      expect(await texts(memory, "green", { limit: 1 })).toHaveLength(1)
      const { memories } = await memory.searchMemory({ ...ann, query: "bike" })
      expect(memories).toEqual([
        {
          author: "guide",
          content: { role: "model", parts: [{ text: "Your bike is green." }] },
          timestamp: new Date(1_790_000_000_000).toISOString(),
        },
      ])
    })

    test("a search never finds messages of another user or another app", async () => {
      const memory = create()
      await memory.addEventsToMemory({ ...ann, userId: "bob", events: [said("0", "tea of Bob")] })
      await memory.addEventsToMemory({
        ...ann,
        appName: "desk",
        events: [said("0", "tea at a desk")],
      })
      await memory.addEventsToMemory({ ...ann, userId: 'a","u', events: [said("0", "tea of A")] })
      expect(await texts(memory, "tea")).toEqual([])
      await memory.addEventsToMemory({ ...ann, events: [said("0", "tea of Ann")] })
      expect(await texts(memory, "tea bob desk")).toEqual(["tea of Ann"])
      // The words with which an index marks users are not found as text.
      for (const query of ["u1", "u2", "owner", "user"])
        expect(await texts(memory, query)).toEqual([])
    })

    test.each([
      '"',
      "'",
      "*",
      "green OR NOT",
      'owner:"u2" OR tea',
      'tea" OR owner : "u2',
      "NEAR(tea green, 5) AND (",
      "tea'); DROP TABLE memory_messages; --",
      "^tea | ! & <-> (",
      "-tea",
      "content : tea",
      "\0\uD800 tea",
      "\u0301",
      "",
    ])("the query %j contains only words, not operators", async (query) => {
      const memory = create()
      await memory.addEventsToMemory({
        ...ann,
        userId: "bob",
        events: [said("0", "tea green owner content")],
      })
      await memory.addEventsToMemory({ ...ann, events: [said("0", "Some tea.")] })
      const expected = query.includes("tea") ? ["Some tea."] : []
      expect(await texts(memory, query)).toEqual(expected)
      expect(await texts(memory, "tea")).toEqual(["Some tea."])
    })

    test("a message with a known id replaces the stored message", async () => {
      const memory = create()
      await memory.addEventsToMemory({
        ...ann,
        events: [said("0", "old tea"), said("1", "tea two")],
      })
      await memory.addEventsToMemory({
        ...ann,
        events: [said("0", "new tea"), said("1", "tea two")],
      })
      expect([...(await texts(memory, "tea"))].sort()).toEqual(["new tea", "tea two"])
      expect(await texts(memory, "old")).toEqual([])
    })

    test("addSessionToMemory replaces the messages of the session", async () => {
      const memory = create()
      const { appName, userId } = ann
      const session = { id: "monday", appName, userId }
      await memory.addSessionToMemory({
        ...session,
        events: [said("", "first tea"), said("", "second tea")],
      })
      await memory.addSessionToMemory({ ...session, events: [said("", "third tea")] })
      expect(await texts(memory, "tea")).toEqual(["third tea"])
      expect(await texts(memory, "tea", { excludedSessionId: "monday" })).toEqual([])
      expect(await texts(memory, "tea", { excludedSessionId: "tuesday" })).toEqual(["third tea"])
    })

    test("texts with special characters are returned unchanged", async () => {
      const memory = create()
      const text = "Tee \0 für \uD83C\uDF75 <b>“Änne”</b> \uD800"
      await memory.addEventsToMemory({ ...ann, events: [said("\0", text, "\0agent")] })
      expect(await texts(memory, "tee")).toEqual([text])
      if (folds) expect(await texts(memory, "änne")).toEqual([text])
    })

    test("deleteUser deletes the messages of one user, in one app or in all apps", async () => {
      const memory = create()
      const other = { ...ann, appName: "desk" }
      await memory.addEventsToMemory({ ...ann, events: [said("0", "tea"), said("1", "milk")] })
      await memory.addEventsToMemory({ ...other, events: [said("0", "tea")] })
      await memory.addEventsToMemory({ ...ann, userId: "bob", events: [said("0", "tea")] })
      expect(await memory.deleteUser({ userId: "ann" }, true)).toBe(3)
      expect(await memory.deleteUser({ userId: "ann", appName: "desk" }, false)).toBe(1)
      expect(await texts(memory, "tea")).toEqual(["tea"])
      expect(await memory.deleteUser({ userId: "ann" }, false)).toBe(2)
      expect(await texts(memory, "tea milk")).toEqual([])
      const { memories } = await memory.searchMemory({ ...ann, userId: "bob", query: "tea" })
      expect(memories).toHaveLength(1)
      expect(await memory.deleteUser({ userId: "ann" }, false)).toBe(0)
    })

    test("a message without a text is not stored", async () => {
      const memory = create()
      await memory.addEventsToMemory({
        ...ann,
        events: [{ id: "0", author: "user", content: { parts: [] }, timestamp: 0 }],
      })
      expect(await texts(memory, "user")).toEqual([])
    })
  })
}

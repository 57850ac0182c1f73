import { describe, expect, test } from "vitest"
import type {
  SessionChanges,
  SessionStore,
  StoredSession,
} from "../../src/runtime/journal/session-store.js"

const ann = { appName: "shop", userId: "ann", sessionId: "s1" }
const annAgain = { ...ann, sessionId: "s2" }
const bob = { ...ann, userId: "bob", sessionId: "s3" }

const changes = (of: Partial<SessionChanges> = {}): SessionChanges => ({
  runId: "r1",
  records: 1,
  version: 0,
  set: {},
  removed: [],
  said: { from: 0, entries: [] },
  artifacts: {},
  activeAgent: null,
  at: 2000,
  ...of,
})

const said = (...texts: readonly string[]) =>
  texts.map((content) => ({ author: "user", message: { role: "user" as const, content } }))

/** Tests the contract of a session store. `open` returns an empty store. */
export function describeSessionStore(name: string, open: () => SessionStore): void {
  describe(`${name} as a session store`, () => {
    test("a new session contains only its state", async () => {
      const store = open()
      const empty = {
        history: [],
        artifacts: {},
        activeAgent: null,
        version: 0,
        savedBy: null,
        updatedAt: 1000,
      }
      expect(await store.create(ann, { plan: ["a"] }, 1000)).toEqual({
        ...ann,
        ...empty,
        state: { plan: ["a"] },
      })
      expect(await store.load(ann)).toEqual({ ...ann, ...empty, state: { plan: ["a"] } })
      expect(await store.load(annAgain)).toBeNull()
      await expect((async () => store.create(ann, {}, 2000))()).rejects.toMatchObject({
        code: "session_exists",
      })
    })

    test("user: and app: keys are shared, and temp: keys are never stored", async () => {
      const store = open()
      await store.create(ann, { plain: 1, "user:lang": "fi", "app:rate": 2, "temp:x": 3 }, 1000)
      expect((await store.load(ann))?.state).toEqual({ plain: 1, "user:lang": "fi", "app:rate": 2 })
      expect((await store.create(annAgain, {}, 1000)).state).toEqual({
        "user:lang": "fi",
        "app:rate": 2,
      })
      expect((await store.create(bob, {}, 1000)).state).toEqual({ "app:rate": 2 })
      await store.save(bob, changes({ set: { "app:rate": 4, "user:lang": "sv", "temp:y": 1 } }))
      expect((await store.load(ann))?.state).toEqual({ plain: 1, "user:lang": "fi", "app:rate": 4 })
      await store.save(annAgain, changes({ removed: ["user:lang"] }))
      expect((await store.load(ann))?.state).toEqual({ plain: 1, "app:rate": 4 })
      expect((await store.load(bob))?.state).toEqual({ "user:lang": "sv", "app:rate": 4 })
    })

    test("save stores the history, the state, the artifacts and the active agent of a run", async () => {
      const store = open()
      await store.create(ann, { a: 1, b: 2 }, 1000)
      const bytes = { mimeType: "image/png", data: "AAEC" }
      await store.save(
        ann,
        changes({
          set: { a: { deep: [null, "x"] } },
          removed: ["b"],
          said: { from: 0, entries: said("hi", "again") },
          artifacts: { "n.txt": "tea", pic: bytes },
          activeAgent: "billing",
        }),
      )
      expect(await store.load(ann)).toEqual({
        ...ann,
        state: { a: { deep: [null, "x"] } },
        history: said("hi", "again"),
        artifacts: { "n.txt": "tea", pic: bytes },
        activeAgent: "billing",
        version: 1,
        savedBy: { runId: "r1", records: 1 },
        updatedAt: 2000,
      })
      await store.save(
        ann,
        changes({
          runId: "r2",
          version: 1,
          said: { from: 2, entries: said("more") },
          artifacts: { "n.txt": "coffee" },
          at: 3000,
        }),
      )
      expect(await store.load(ann)).toMatchObject({
        history: said("hi", "again", "more"),
        artifacts: { "n.txt": "coffee", pic: bytes },
        activeAgent: null,
        updatedAt: 3000,
      })
    })

    test("a run can save several times, and a repeated save with the same records changes nothing", async () => {
      const store = open()
      await store.create(ann, {}, 1000)
      await store.save(
        ann,
        changes({ records: 3, set: { a: 1 }, said: { from: 0, entries: said("hi") } }),
      )
      await store.save(
        ann,
        changes({ records: 3, set: { a: 9 }, said: { from: 0, entries: said("hi") } }),
      )
      expect(await store.load(ann)).toMatchObject({
        state: { a: 1 },
        history: said("hi"),
        version: 1,
      })
      await store.save(
        ann,
        changes({ records: 5, set: { a: 2 }, said: { from: 0, entries: said("hi", "there") } }),
      )
      expect(await store.load(ann)).toMatchObject({
        state: { a: 2 },
        history: said("hi", "there"),
        version: 2,
      })
    })

    test("a save is refused if another run has changed the session or if the session does not exist", async () => {
      const store = open()
      await store.create(ann, {}, 1000)
      await store.save(ann, changes({ set: { a: 1 } }))
      await expect(
        (async () => store.save(ann, changes({ runId: "r2", set: { a: 2 } })))(),
      ).rejects.toMatchObject({ code: "session_conflict" })
      await expect((async () => store.save(bob, changes()))()).rejects.toMatchObject({
        code: "session_unknown",
      })
      expect(await store.load(ann)).toMatchObject({ state: { a: 1 }, version: 1 })
    })

    test("list returns the sessions of an app or a user, the last updated session first", async () => {
      const store = open()
      await store.create(ann, {}, 1000)
      await store.create(annAgain, {}, 2000)
      await store.create(bob, {}, 3000)
      await store.create({ ...ann, appName: "other" }, {}, 4000)
      const ids = async (owner: Parameters<SessionStore["list"]>[0]) =>
        (await store.list(owner)).map(({ sessionId }) => sessionId)
      expect(await ids({ appName: "shop" })).toEqual(["s3", "s2", "s1"])
      await store.save(ann, changes({ at: 9000 }))
      expect(await ids({ appName: "shop", userId: "ann" })).toEqual(["s1", "s2"])
      expect(await store.list({ appName: "shop", userId: "bob" })).toEqual([
        { ...bob, version: 0, savedBy: null, updatedAt: 3000 },
      ])
      expect(await ids({ appName: "nobody" })).toEqual([])
    })

    test("deleting a session does not delete its shared keys", async () => {
      const store = open()
      await store.create(ann, { plain: 1, "user:lang": "fi" }, 1000)
      await store.save(
        ann,
        changes({ said: { from: 0, entries: said("hi") }, artifacts: { n: "t" } }),
      )
      await store.delete(ann)
      await store.delete(ann)
      expect(await store.load(ann)).toBeNull()
      expect(await store.create(ann, {}, 5000)).toMatchObject({
        state: { "user:lang": "fi" },
        history: [],
        artifacts: {},
        version: 0,
      })
    })

    test("names and keys can contain any characters, and different names are different sessions", async () => {
      const store = open()
      const odd = { appName: 'a\u0000"', userId: "\ud800", sessionId: "__proto__" }
      const near = { appName: 'a\u0000"', userId: "\ud801", sessionId: "__proto__" }
      const state = JSON.parse(
        '{"__proto__": 1, "a\\u0000b": 2, "user:\\ud800": 3, "": 4}',
      ) as Record<string, unknown>
      await store.create(odd, state, 1000)
      await store.create(near, {}, 1000)
      expect(Object.entries((await store.load(odd))?.state ?? {}).sort()).toEqual(
        Object.entries(state).sort(),
      )
      expect(await store.load(odd)).toMatchObject(odd)
      expect((await store.load(near))?.state).toEqual({})
    })

    test("later changes of passed or returned values do not change the stored session", async () => {
      const store = open()
      const given = { list: [1] }
      await store.create(ann, given, 1000)
      given.list.push(2)
      const loaded = await store.load(ann)
      const list = (loaded as StoredSession).state["list"] as number[]
      list.push(3)
      expect((await store.load(ann))?.state).toEqual({ list: [1] })
    })
  })
}

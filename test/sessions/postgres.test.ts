import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { PostgresSessionStore } from "../../src/adapters/session/postgres/index.js"
import { postgresSessionStore } from "../../src/adapters/session/postgres/index.js"
import type { SessionChanges } from "../../src/runtime/journal/session-store.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { ModelService } from "../../src/machines/contract/services.js"
import { createRunner } from "../../src/runtime/index.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { describeSessionStore } from "./store-contract.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

let server: Postgres
const opened: PostgresSessionStore[] = []

function open(schema: string = randomUUID()): PostgresSessionStore {
  const url = server.url.replace(/agents$/, "postgres")
  const store = postgresSessionStore(url, { schema, maxConnections: 2 })
  opened.push(store)
  return store
}

beforeAll(async () => {
  if (isThere) server = await startPostgres()
})
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  await server?.stop()
})

const change: SessionChanges = {
  runId: "r",
  records: 1,
  version: 0,
  set: {},
  removed: [],
  said: { from: 0, entries: [] },
  artifacts: {},
  activeAgent: null,
  at: 1,
}

describe.skipIf(!isThere)("sessions in PostgreSQL", () => {
  describeSessionStore("PostgreSQL", () => open())

  test("if two processes save a session, one process receives a conflict and changes nothing", async () => {
    const [one, other] = [open("shared"), open("shared")]
    const key = { appName: "shop", userId: "ann", sessionId: "s" }
    await one.create(key, {}, 1)
    const results = await Promise.allSettled([
      one.save(key, { ...change, runId: "one", set: { by: "one" } }),
      other.save(key, { ...change, runId: "other", set: { by: "other" } }),
    ])
    const winner = results[0]?.status === "fulfilled" ? "one" : "other"
    expect(results.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "session_conflict" } },
    ])
    expect(await one.load(key)).toMatchObject({ state: { by: winner }, version: 1 })
  })

  test("saves of sessions that change shared keys in different orders do not block each other", async () => {
    const [one, other] = [open("crossing"), open("crossing")]
    const names = Array.from({ length: 40 }, (_, n) => `user:${n}`)
    const keyOf = (sessionId: string) => ({ appName: "shop", userId: "ann", sessionId })
    await one.create(keyOf("a"), {}, 1)
    await one.create(keyOf("b"), {}, 1)
    const save = async (store: PostgresSessionStore, id: string, order: readonly string[]) => {
      for (let version = 0; version < 20; version++)
        await store.save(keyOf(id), {
          ...change,
          version,
          records: version + 1,
          set: Object.fromEntries(order.map((name) => [name, id])),
          removed: version % 3 === 0 ? order.slice(0, 5) : [],
        })
    }
    await Promise.all([save(one, "a", names), save(other, "b", names.toReversed())])
    const values = new Set(Object.values((await one.load(keyOf("a")))?.state ?? {}))
    expect(values.size).toBe(1)
  })

  test("a save with a value that cannot be stored changes nothing", async () => {
    const store = open()
    const key = { appName: "shop", userId: "ann", sessionId: "s" }
    await store.create(key, {}, 1)
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    await expect(
      store.save(key, { ...change, set: { good: 1 }, artifacts: { bad: circle as never } }),
    ).rejects.toMatchObject({ code: "session_store_failed" })
    expect(await store.load(key)).toMatchObject({ state: {}, version: 0 })
  })

  test("a server that cannot be reached causes session_store_failed with the schema", async () => {
    const store = postgresSessionStore("postgresql://nobody@127.0.0.1:1/none")
    await expect(store.load({ appName: "a", userId: "b", sessionId: "c" })).rejects.toMatchObject({
      code: "session_store_failed",
      message: expect.stringContaining("agent_statecharts"),
    })
    await store.close()
  })

  test("runs of two runners continue the conversation of a session", async () => {
    const chart = compileOrThrow({
      dialect: "adk",
      rootAgentId: "guide",
      agents: [{ type: "LlmAgent", id: "guide", model: "any", instruction: "Answer." }],
    })
    const models: Record<string, ModelService> = {
      any: { call: async ({ messages }) => ({ content: String(messages.length) }) },
    }
    const session = { appName: "chat", userId: "ann", sessionId: "monday" }
    const texts: (string | null)[] = []
    for (const prompt of ["Hello", "Again"]) {
      const runner = createRunner({ models, sessions: open("conversation") })
      texts.push((await runner.start(chart, { session, prompt }).result).text)
      await runner.close()
    }
    expect(texts).toEqual(["2", "4"])
  })
})

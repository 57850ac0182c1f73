import { randomUUID } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import type { PostgresResponseCache } from "../../src/adapters/response-cache/postgres/index.js"
import { postgresResponseCache } from "../../src/adapters/response-cache/postgres/index.js"
import type { SqliteResponseCache } from "../../src/adapters/response-cache/sqlite/index.js"
import { sqliteResponseCache } from "../../src/adapters/response-cache/sqlite/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import { emptyAnswer } from "../../src/machines/model-call/empty-answer.js"
import { createRunner, memoryResponseCache } from "../../src/runtime/index.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { describeResponseCache } from "./cache-contract.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped in part: ${whyNot}`)

const folder = mkdtempSync(join(tmpdir(), "response-cache-"))
let server: Postgres | null = null
const opened: (PostgresResponseCache | SqliteResponseCache)[] = []

function openPostgres(schema: string = randomUUID()): PostgresResponseCache {
  const url = server?.url.replace(/agents$/, "postgres") ?? ""
  const cache = postgresResponseCache(url, { schema, maxConnections: 2 })
  opened.push(cache)
  return cache
}

function openSqlite(file = ":memory:"): SqliteResponseCache {
  const cache = sqliteResponseCache(file)
  opened.push(cache)
  return cache
}

beforeAll(async () => {
  if (isThere) server = await startPostgres()
}, 60_000)
afterAll(async () => {
  for (const cache of opened) await cache.close()
  await server?.stop()
  rmSync(folder, { recursive: true })
})

describeResponseCache("in memory", () => memoryResponseCache())
describeResponseCache("SQLite", () => openSqlite())

describe.skipIf(!isThere)("a response cache in PostgreSQL", () => {
  describeResponseCache("PostgreSQL", () => openPostgres())

  test("two processes share a schema, and expired responses are deleted", async () => {
    const [one, other] = [openPostgres("shared"), openPostgres("shared")]
    await Promise.all([
      one.write("a", { answer: { ...emptyAnswer, content: "A" }, at: 1, expiresAt: 10 }),
      other.write("b", { answer: { ...emptyAnswer, content: "B" }, at: 1, expiresAt: 100 }),
    ])
    expect((await other.read("a", 1))?.answer.content).toBe("A")
    await other.write("c", { answer: emptyAnswer, at: 50, expiresAt: 60 })
    expect(await one.read("a", 1)).toBeNull()
    expect((await one.read("b", 50))?.answer.content).toBe("B")
  })
})

describe("a cache in memory", () => {
  test("deletes the least recently used responses if it is full", () => {
    const cache = memoryResponseCache({ maxCharacters: 1_000 })
    const answer = { ...emptyAnswer, content: "x".repeat(100) }
    for (const request of ["a", "b", "c"]) cache.write(request, { answer, at: 1, expiresAt: 10 })
    cache.read("a", 1)
    for (const request of ["d", "e"]) cache.write(request, { answer, at: 1, expiresAt: 10 })
    expect(cache.read("b", 1)).toBeNull()
    expect(cache.read("a", 1)).not.toBeNull()
    expect(cache.read("e", 1)).not.toBeNull()
  })
})

describe("a SQLite file", () => {
  test("contains runs and responses, but no requests and no deleted responses", async () => {
    const file = join(folder, "runs.sqlite")
    const journal = sqliteJournal(file)
    const cache = openSqlite(file)
    const chart = compileOrThrow({
      rootAgentId: "a",
      agents: [{ type: "LlmAgent", id: "a", model: "any", cache: "1h" }],
    })
    let calls = 0
    const any = { call: async () => ({ content: `Answer ${++calls}` }) }
    const runner = createRunner({ models: { any }, journal, responseCache: cache })
    const results = []
    for (const runId of ["one", "two"])
      results.push(await runner.start(chart, { runId, prompt: "Hi." }).result)
    expect(results.map(({ text }) => text)).toEqual(["Answer 1", "Answer 1"])
    await runner.close()
    const answer = { ...emptyAnswer, content: "canary-answer" }
    cache.write("canary-request", { answer, at: Date.now(), expiresAt: Date.now() + 3_600_000 })
    cache.clear()
    cache.compact()
    journal.close()
    cache.close()
    opened.splice(opened.indexOf(cache), 1)
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name), "latin1")
      expect(bytes).not.toContain("canary-answer")
      expect(bytes).not.toContain("canary-request")
    }
  })
})

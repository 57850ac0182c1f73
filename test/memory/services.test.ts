import { randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { PostgresMemoryService } from "../../src/adapters/memory/postgres/index.js"
import { postgresMemoryService } from "../../src/adapters/memory/postgres/index.js"
import type { SqliteMemoryService } from "../../src/adapters/memory/sqlite/index.js"
import { sqliteMemoryService } from "../../src/adapters/memory/sqlite/index.js"
import { sqliteSessionStore } from "../../src/adapters/session/sqlite/index.js"
import { InMemoryMemoryService } from "../../src/runtime/index.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { describeMemoryService } from "./memory-contract.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped in part: ${whyNot}`)

const folder = mkdtempSync(join(tmpdir(), "memory-"))
let server: Postgres | null = null
const opened: (PostgresMemoryService | SqliteMemoryService)[] = []

function openPostgres(): PostgresMemoryService {
  const url = server?.url.replace(/agents$/, "postgres") ?? ""
  const memory = postgresMemoryService(url, { schema: randomUUID(), maxConnections: 2 })
  opened.push(memory)
  return memory
}

function openSqlite(file = ":memory:"): SqliteMemoryService {
  const memory = sqliteMemoryService(file)
  opened.push(memory)
  return memory
}

beforeAll(async () => {
  if (isThere) server = await startPostgres()
})
afterAll(async () => {
  for (const memory of opened) await memory.close()
  await server?.stop()
  rmSync(folder, { recursive: true })
})

describeMemoryService("in memory", () => new InMemoryMemoryService())
describeMemoryService("SQLite", () => openSqlite())

describe.skipIf(!isThere)("memory in PostgreSQL", () => {
  describeMemoryService("PostgreSQL", () => openPostgres())
})

describe("a SQLite file", () => {
  test("is shared with sessions and with other processes", async () => {
    const file = join(folder, "shared.sqlite")
    const sessions = sqliteSessionStore(file)
    const [one, other] = [openSqlite(file), openSqlite(file)]
    const key = { appName: "shop", userId: "ann", sessionId: "s" }
    sessions.create(key, {}, 1)
    const content = { parts: [{ text: "green tea" }] }
    await one.addEventsToMemory({
      ...key,
      events: [{ id: "0", author: "user", content, timestamp: 0 }],
    })
    expect((await other.searchMemory({ ...key, query: "tea" })).memories).toHaveLength(1)
    sessions.close()
  })

  test("contains no word of deleted messages after compact", async () => {
    const file = join(folder, "deleted.sqlite")
    const memory = sqliteMemoryService(file)
    for (let index = 0; index < 50; index++) {
      const content = { parts: [{ text: `canary${index} and other words` }] }
      for (const userId of ["ann", "bob"])
        await memory.addEventsToMemory({
          appName: "shop",
          userId,
          sessionId: `${userId}-${index}`,
          events: [
            {
              id: "0",
              author: "user",
              timestamp: 0,
              content: userId === "ann" ? content : { parts: [{ text: "other words" }] },
            },
          ],
        })
    }
    expect(await memory.deleteUser({ userId: "ann" }, false)).toBe(50)
    memory.compact()
    memory.close()
    expect(readFileSync(file).includes("canary")).toBe(false)
    expect(readFileSync(file).includes("ann")).toBe(false)
    const again = openSqlite(file)
    const found = await again.searchMemory({
      appName: "shop",
      userId: "bob",
      query: "words",
      limit: 100,
    })
    expect(found.memories).toHaveLength(50)
  })

  test("causes memory_failed if it cannot be opened", () => {
    expect(() => sqliteMemoryService(join(folder, "missing/memory.sqlite"))).toThrow(
      expect.objectContaining({ code: "memory_failed" }),
    )
  })
})

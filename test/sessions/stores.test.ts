import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { sqliteSessionStore } from "../../src/adapters/session/sqlite/sqlite-session-store.js"
import { memorySessionStore } from "../../src/runtime/host/memory-session-store.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { describeSessionStore } from "./store-contract.js"

const folder = mkdtempSync(join(tmpdir(), "sessions-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const file = (): string => join(folder, `${files++}.db`)

describeSessionStore("memory", memorySessionStore)
describeSessionStore("SQLite", () => sqliteSessionStore(file()))

describe("a SQLite file with sessions", () => {
  const key = { appName: "shop", userId: "ann", sessionId: "s1" }
  const change = {
    runId: "r",
    records: 1,
    version: 0,
    set: { "user:a": 1 },
    removed: [],
    said: { from: 0, entries: [] },
    artifacts: {},
    activeAgent: null,
    at: 1,
  }

  test("has the same content for two connections and for a later connection", async () => {
    const path = file()
    const [one, other] = [sqliteSessionStore(path), sqliteSessionStore(path)]
    await one.create(key, { a: 1 }, 1000)
    await other.save(key, { ...change, set: { a: 2 } })
    expect((await one.load(key))?.state).toEqual({ a: 2 })
    expect(() => one.save(key, { ...change, runId: "another" })).toThrow(
      expect.objectContaining({ code: "session_conflict" }),
    )
    one.close()
    other.close()
    const later = sqliteSessionStore(path)
    expect((await later.load(key))?.state).toEqual({ a: 2 })
    later.close()
  })

  test("can be written by two processes at the same time", async () => {
    const path = file()
    const store = sqliteSessionStore(path)
    const program = `
      import { sqliteSessionStore } from "agent-statecharts/adapters/session/sqlite"
      const store = sqliteSessionStore(${JSON.stringify(path)})
      for (let n = 0; n < 50; n++) store.create({ appName: "shop", userId: "child", sessionId: String(n) }, { n }, n)
      store.close()`
    const child = spawn(process.execPath, ["--input-type=module", "-"], {
      cwd: projectFolder,
      stdio: ["pipe", "ignore", "inherit"],
    })
    child.stdin.end(program)
    const listOf = async (userId: string) => (await store.list({ appName: "shop", userId })).length
    while ((await listOf("child")) === 0 && child.exitCode === null) await new Promise(setImmediate)
    for (let n = 0; n < 50; n++)
      await store.create({ appName: "shop", userId: "parent", sessionId: String(n) }, { n }, n)
    if (child.exitCode === null) await once(child, "exit")
    expect([child.exitCode, await listOf("child"), await listOf("parent")]).toEqual([0, 50, 50])
    store.close()
  })

  test("is not changed by a save with a value that cannot be stored", async () => {
    const store = sqliteSessionStore(file())
    await store.create(key, {}, 1000)
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    expect(() => store.save(key, { ...change, set: { good: 1, bad: circle } })).toThrow(
      expect.objectContaining({ code: "session_store_failed" }),
    )
    expect(await store.load(key)).toMatchObject({ state: {}, version: 0 })
    store.close()
  })
})

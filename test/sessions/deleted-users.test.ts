import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { postgresJournal } from "../../src/adapters/journal/postgres/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import { postgresMemoryService } from "../../src/adapters/memory/postgres/index.js"
import { sqliteMemoryService } from "../../src/adapters/memory/sqlite/index.js"
import { postgresSessionStore } from "../../src/adapters/session/postgres/index.js"
import { sqliteSessionStore } from "../../src/adapters/session/sqlite/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import {
  createRunner,
  deleteUser,
  memoryJournal,
  memorySessionStore,
} from "../../src/runtime/index.js"
import type { Journal, MemoryService, SessionStore } from "../../src/runtime/index.js"
import { cli } from "../cli/command.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped in part: ${whyNot}`)

const folder = mkdtempSync(join(tmpdir(), "deleted-users-"))
let postgres: Postgres | null = null
beforeAll(async () => {
  if (isThere) postgres = await startPostgres()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await postgres?.stop()
})

/** Text that only the data of the deleted user contains. */
const canary = "canary-5e1d"

const chart = compileOrThrow({
  dialect: "adk",
  rootAgentId: "guide",
  agents: [{ type: "LlmAgent", id: "guide", model: "any", instruction: "Answer." }],
})
const waiting = compileOrThrow({
  dialect: "adk",
  rootAgentId: "boss",
  agents: [{ type: "HumanAgent", id: "boss", prompt: "Well?" }],
})

interface Place {
  readonly journal: Journal
  readonly sessions: SessionStore
  readonly memory: MemoryService
  close(): Promise<void>
}

/** Stores two conversations, a fork and a child run of the user, and a conversation of another user. */
async function fill({ journal, sessions, memory, close }: Place): Promise<void> {
  const models = { any: { call: async () => ({ content: `Hello ${canary}.` }) } }
  const others = { any: { call: async () => ({ content: "Hello Bob." }) } }
  const own = createRunner({ journal, sessions, memory, models })
  const session = { appName: "shop", userId: `ann-${canary}`, sessionId: `s-${canary}` }
  const input = {
    prompt: `I am ${canary}.`,
    state: { "user:name": canary, seen: [canary], "app:rate": 1 },
    artifacts: { [`${canary}.txt`]: canary.repeat(500) },
  }
  await own.start(chart, { ...input, session, runId: "one" }).result
  await own.start(chart, { ...input, session: { ...session, appName: "desk" }, runId: "two" })
    .result
  const forked = await own.fork("one", { at: 1, runId: "forked" })
  await forked.whenSettled()
  await own.close()
  const bob = createRunner({ journal, sessions, memory, models: others })
  await bob.start(chart, { session: { ...session, userId: "bob", sessionId: "b" }, runId: "bob" })
    .result
  await bob.close()
  const parent = await journal.load("one")
  if (parent === null) throw new Error("the run is missing")
  const { session: _, ...standalone } = parent.header.input
  await journal.create({
    ...parent.header,
    runId: "child",
    input: standalone,
    calledBy: { runId: "one", path: "a", depth: 1, limits: { maxModelCalls: null } } as never,
  })
  await journal.note?.("child", { status: "completed", pending: [], at: 5 })
  await journal.release?.("child")
  await close()
}

function filesIn(place: string): readonly string[] {
  return statSync(place).isDirectory()
    ? readdirSync(place).flatMap((name) => filesIn(join(place, name)))
    : [place]
}

/** The files below a path that contain the canary in their name or content. */
const filesWithCanary = (place: string): readonly string[] =>
  filesIn(place).filter((file) => file.includes(canary) || readFileSync(file).includes(canary))

const url = (): string => postgres?.url.replace(/agents$/, "postgres") ?? ""

/** The files of the database, without the write-ahead log, which PostgreSQL overwrites later. */
function databaseFiles(): string {
  postgres?.queryIn("postgres", "CHECKPOINT")
  return join(postgres?.queryIn("postgres", "SHOW data_directory") ?? "", "base")
}

const places: Readonly<
  Record<string, { readonly option: () => string; open(): Place; files(): string }>
> = {
  "a folder": {
    option: () => join(folder, "runs"),
    files: () => join(folder, "runs"),
    open: () => {
      const journal = jsonlJournal(join(folder, "runs"))
      const sessions = sqliteSessionStore(join(folder, "runs/sessions.sqlite"))
      const memory = sqliteMemoryService(join(folder, "runs/memory.sqlite"))
      return {
        journal,
        sessions,
        memory,
        async close() {
          sessions.close()
          memory.close()
        },
      }
    },
  },
  SQLite: {
    option: () => join(folder, "database/runs.sqlite"),
    files: () => join(folder, "database"),
    open: () => {
      const journal = sqliteJournal(join(folder, "database/runs.sqlite"))
      const sessions = sqliteSessionStore(join(folder, "database/runs.sqlite"))
      const memory = sqliteMemoryService(join(folder, "database/runs.sqlite"))
      return {
        journal,
        sessions,
        memory,
        async close() {
          sessions.close()
          memory.close()
          journal.close()
        },
      }
    },
  },
  ...(isThere && {
    PostgreSQL: {
      option: url,
      files: databaseFiles,
      open: () => {
        const journal = postgresJournal(url())
        const sessions = postgresSessionStore(url())
        const memory = postgresMemoryService(url())
        return {
          journal,
          sessions,
          memory,
          async close() {
            await sessions.close()
            await memory.close()
            await journal.close()
            postgres?.queryIn("postgres", "ANALYZE")
          },
        }
      },
    },
  }),
}

describe.each(Object.entries(places))(
  "the data of users, with the journal in %s",
  (_, { option, open, files }) => {
    test("users delete leaves no byte of the user, and keeps other users", async () => {
      for (const name of ["runs", "database"]) mkdirSync(join(folder, name), { recursive: true })
      await fill(open())
      expect(filesWithCanary(files()).length).toBeGreaterThan(0)
      const user = ["users", "delete", `ann-${canary}`, "--journal", option()]

      const dry = await cli([...user, "--dry-run", "--json"])
      expect(JSON.parse(dry.stdout)).toMatchObject({
        sessions: [{ sessionId: `s-${canary}` }, { sessionId: `s-${canary}` }],
        sharedKeys: 2,
        memories: 4,
        inUse: [],
      })
      expect([...JSON.parse(dry.stdout).runIds].sort()).toEqual(["child", "forked", "one", "two"])

      const deleted = await cli(user)
      expect(deleted).toMatchObject({ code: 0, stderr: "" })
      expect(deleted.stdout).toBe(
        "2 sessions, 2 shared state keys, 4 remembered messages and 4 runs deleted\n",
      )
      expect(filesWithCanary(files())).toEqual([])

      const left = open()
      expect((await left.journal.list?.())?.map(({ runId }) => runId)).toEqual(["bob"])
      const bob = await left.sessions.load({ appName: "shop", userId: "bob", sessionId: "b" })
      expect(bob).toMatchObject({ state: { "app:rate": 1 }, history: [{ author: "guide" }] })
      const asked = { appName: "shop", userId: "bob", query: "hello" }
      expect((await left.memory.searchMemory(asked)).memories).toHaveLength(1)
      await left.close()
      expect((await cli(user)).stdout).toBe(
        "0 sessions, 0 shared state keys, 0 remembered messages and 0 runs deleted\n",
      )
    })
  },
)

describe("deleteUser", () => {
  const session = { appName: "shop", userId: "ann", sessionId: "s" }

  test("deletes nothing while a run of the user has not ended, unless includeOpen is set", async () => {
    const [journal, sessions] = [memoryJournal(), memorySessionStore()]
    const runner = createRunner({ journal, sessions })
    await runner.start(waiting, { session, runId: "open" }).whenSettled()
    await runner.close()
    await expect(deleteUser({ journal, sessions, userId: "ann" })).rejects.toMatchObject({
      code: "user_active",
      message: expect.stringContaining("open"),
    })
    expect(await sessions.load(session)).not.toBeNull()
    expect(await deleteUser({ journal, sessions, userId: "ann", includeOpen: true })).toMatchObject(
      { runIds: ["open"], openRunIds: ["open"], sessions: [session] },
    )
    expect(await sessions.load(session)).toBeNull()
    expect(await journal.load("open")).toBeNull()
  })

  test("keeps the data of the user in other apps if an app is named", async () => {
    const [journal, sessions] = [memoryJournal(), memorySessionStore()]
    await sessions.create(session, { "user:lang": "fi" }, 1)
    const other = { ...session, appName: "desk" }
    await sessions.create(other, { "user:lang": "sv" }, 1)
    const report = await deleteUser({ journal, sessions, userId: "ann", appName: "shop" })
    expect(report).toMatchObject({ sessions: [session], sharedKeys: 1 })
    expect(await sessions.load(other)).toMatchObject({ state: { "user:lang": "sv" } })
  })

  test("reports the runs that a process executes, and keeps them", async () => {
    const place = join(folder, "owned.sqlite")
    const [journal, other] = [sqliteJournal(place), sqliteJournal(place)]
    const sessions = memorySessionStore()
    const runner = createRunner({ journal: other, sessions })
    await runner.start(waiting, { session, runId: "open" }).whenSettled()
    const progress: object[] = []
    const report = await deleteUser({
      journal,
      sessions,
      userId: "ann",
      includeOpen: true,
      onProgress: (one) => progress.push(one),
    })
    expect(progress.slice(0, 2)).toEqual([
      { step: "searching", done: 0, runs: 1 },
      { step: "searching", done: 1, runs: 1 },
    ])
    expect(report).toMatchObject({ runIds: [], inUse: ["open"] })
    expect(journal.load("open")).not.toBeNull()
    await runner.close()
    for (const open of [journal, other]) open.close()
  })
})

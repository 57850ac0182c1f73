import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { postgresJournal } from "../../src/adapters/journal/postgres/index.js"
import type { PostgresJournal } from "../../src/adapters/journal/postgres/index.js"
import type { JournalHeader } from "../../src/runtime/index.js"
import { createRunner, pruneRuns } from "../../src/runtime/index.js"
import { storedEvents } from "../../src/serving/stored-events.js"
import { cli } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { describeJournal } from "./journal-contract.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

let server: Postgres
const opened: PostgresJournal[] = []

/** Opens a journal whose tables are in the schema with the name of the place. */
function open(place: string): PostgresJournal {
  const journal = postgresJournal(urlOf(server), { schema: place, maxConnections: 2 })
  opened.push(journal)
  return journal
}

const urlOf = ({ url }: Postgres): string => url.replace(/agents$/, "postgres")

beforeAll(async () => {
  if (isThere) server = await startPostgres()
})
afterAll(async () => {
  await Promise.all(opened.map((journal) => journal.close()))
  await server?.stop()
})

const chart = chartOf([sequence("line", ["boss", "clerk"]), human("boss"), llm("clerk")])
const header = (runId: string): JournalHeader => ({
  format: 1,
  runId,
  chart,
  input: { prompt: "canary-91c4", state: {} },
  at: 1,
})

describe.skipIf(!isThere)("a journal in PostgreSQL", () => {
  describeJournal("PostgreSQL", open)

  test("a run of a killed process can be acquired at once, and continues", async () => {
    const script = fileURLToPath(new URL("postgres-process.mjs", import.meta.url))
    const child = spawn(process.execPath, [script, urlOf(server), "killed"], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    await once(child.stdout, "data")
    const journal = open("killed")
    await expect(journal.acquire("r")).rejects.toMatchObject({ code: "run_owned" })
    expect(await journal.list()).toMatchObject([
      { runId: "r", status: "running", owner: expect.stringContaining(String(child.pid)) },
    ])
    child.kill("SIGKILL")
    await once(child, "close")
    await expect.poll(async () => (await journal.acquire("r"), "acquired")).toBe("acquired")
    await journal.append("r", [2, true, {}, 3])
    expect((await journal.load("r"))?.records).toHaveLength(3)
  })

  test("a process that has lost its connection stores nothing after another process owns its run", async () => {
    const [one, other] = [open("lost"), open("lost")]
    await one.create(header("r"))
    await one.append("r", [0, true, {}, 2])
    psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%lost%run_owners%'",
    )
    await expect.poll(async () => (await other.acquire("r"), "acquired")).toBe("acquired")
    await expect(one.append("r", [1, true, {}, 3])).rejects.toMatchObject({ code: "run_owned" })
    await other.append("r", [1, true, "second owner", 3])
    expect((await other.load("r"))?.records[1]).toEqual([1, true, "second owner", 3])
    // The first process can own other runs with a new connection.
    await one.create(header("next"))
    await one.append("next", [0, true, {}, 2])
  })

  test("a deleted run leaves nothing in the tables", async () => {
    const journal = open("deleted")
    for (const id of ["old", "waiting"]) {
      await journal.create({ ...header(id), chart: { ...chart, id: `chart of ${id}` } })
      await journal.append(id, [0, true, "canary-91c4", 2])
      await journal.note(id, {
        status: id === "old" ? "completed" : "waiting",
        pending: [],
        at: 3,
      })
      await journal.release(id)
    }
    expect((await pruneRuns(journal, { endedBefore: 100 })).runIds).toEqual(["old"])
    await journal.compact()
    const rows = (table: string): string => psql(`SELECT count(*) FROM deleted.${table}`)
    expect([rows("runs"), rows("run_headers"), rows("run_records"), rows("run_charts")]).toEqual([
      "1",
      "1",
      "1",
      "1",
    ])
    await journal.create(header("old"))
    expect((await journal.load("old"))?.records).toEqual([])
  })

  test("a PostgreSQL journal stores many records of many runs in order", async () => {
    const journal = open("many")
    const ids = Array.from({ length: 50 }, (_, n) => `run-${n}`)
    await Promise.all(ids.map((id) => journal.create(header(id))))
    await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: 40 }, (_, n) => journal.append(id, [n, true, id, n])),
      ),
    )
    for (const id of ids)
      expect((await journal.load(id))?.records).toEqual(
        Array.from({ length: 40 }, (_, n) => [n, true, id, n]),
      )
  })

  test("a server that cannot be reached causes journal_failed with the schema", async () => {
    const journal = postgresJournal("postgresql://nobody@127.0.0.1:1/none")
    await expect(journal.load("r")).rejects.toMatchObject({
      code: "journal_failed",
      message: expect.stringContaining("agent_statecharts"),
    })
    await journal.close()
  })

  test("the commands store runs in PostgreSQL, and refuse a password in the URL", async () => {
    const url = urlOf(server)
    const example = join(projectFolder, "examples/human-approval")
    const run = await cli(
      ["run", "workflow.json", "--scripted", "scenario.json", "--journal", url, "--run-id", "trip"],
      { cwd: example },
    )
    expect(run.code).toBe(3)
    const list = await cli(["runs", "list", "--journal", url])
    expect(list.stdout).toContain("trip")
    expect(list.stdout).toContain("waiting")
    const verify = await cli(["runs", "verify", "--journal", url])
    expect(verify).toMatchObject({ code: 2, stderr: expect.stringContaining("checksums") })
    const secret = url.replace("postgres@", "postgres:secret@")
    const refused = await cli(["runs", "list", "--journal", secret])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("PGPASSWORD") })
    expect(refused.stderr).not.toContain("secret@")
  })

  test("a process follows a run of another process without waiting for the next poll", async () => {
    const [owner, follower] = [open("followed"), open("followed")]
    await owner.create(header("r"))
    const feed = await storedEvents(follower, "r")
    const stop = new AbortController()
    const seen = (): readonly string[] => feed.events.map(({ type }) => type)
    // The next poll never comes, because its timer does not run.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const follow = feed.nextChange(stop.signal)
    await expect.poll(() => listeners()).toBe("1")
    const at = 10
    await owner.append("r", [-1, "", { type: "run.stopped", as: "cancelled", at }, at])
    await follow
    vi.useRealTimers()
    expect(seen().at(-1)).toBe("run.finished")

    // A lost connection is opened again, and the followers read the run again.
    await owner.create(header("next"))
    let calls = 0
    const unwatch = await follower.watch?.("next", () => calls++)
    psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%lock_shared%' AND pid <> pg_backend_pid()",
    )
    await expect.poll(() => calls).toBe(1)
    await owner.append("next", [-1, "", { type: "run.stopped", as: "cancelled", at }, at])
    await expect.poll(() => calls).toBe(2)
    unwatch?.()
    await owner.note("next", { status: "cancelled", pending: [], at })
    await owner.release("next")
    expect(calls).toBe(2)
    expect((await storedEvents(follower, "next")).hasEnded).toBe(true)
  })

  test("a runner resumes a waiting run of another runner", async () => {
    const models = { clerk: { call: async () => ({ content: "filed", exitFlow: true }) } }
    const services = { http: { model: models.clerk, tool: { call: async () => ({}) } } }
    const first = createRunner({ ...services, journal: open("runners") })
    const run = first.start(chart, { runId: "r" })
    expect((await run.whenSettled()).status).toBe("waiting")
    await first.close()
    const second = createRunner({ ...services, journal: open("runners") })
    const resumed = await second.resume("r")
    await resumed.answer(resumed.pending()[0]?.id ?? "", "yes")
    expect(await resumed.result).toMatchObject({ status: "completed" })
    await second.close()
  })
})

/** The number of connections that wait for notifications of records. */
const listeners = (): string =>
  psql(
    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_advisory_lock_shared%' AND state = 'idle' AND pid <> pg_backend_pid()",
  )

const psql = (sql: string): string => server.queryIn("postgres", sql)

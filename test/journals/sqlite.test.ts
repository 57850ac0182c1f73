import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "../../src/adapters/sqlite/connect.js"
import { afterAll, describe, expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import type { JournalRecord } from "../../src/runtime/index.js"
import { createRunner } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Returns a function that counts the transactions committed from now on, by reading the write-ahead log of SQLite. The last frame of
 * each transaction contains the size of the database.
 */
function commitsOf(place: string): () => number {
  const count = () => {
    const log = readFileSync(`${place}-wal`)
    const frame = 24 + log.readUInt32BE(8)
    return Array.from({ length: (log.length - 32) / frame }, (_, n) =>
      log.readUInt32BE(32 + n * frame + 4),
    ).filter((pages) => pages > 0).length
  }
  const before = count()
  return () => count() - before
}

const header = { format: 1 as const, input: { prompt: null, state: {} }, at: 1 }

describeJournal("SQLite", (place) => sqliteJournal(join(folder, `${place}.sqlite`)))

describe("the charts of runs in SQLite", () => {
  const asking = (id: string) => chartOf([sequence("all", ["first", id]), llm("first"), human(id)])
  const rowsOf = (place: string, sql: string): readonly Record<string, unknown>[] => {
    const database = connect(place)
    try {
      return database.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      database.close()
    }
  }

  test("runs of the same chart store it once, and each waiting run takes less than 300 bytes in addition", async () => {
    const place = join(folder, "charts.sqlite")
    const journal = sqliteJournal(place)
    const runner = createRunner({
      ...scriptedServices({ first: Array.from({ length: 3 }, () => ({ content: "A text." })) }),
      journal,
    })
    const chart = asking("boss")
    const runIds = ["1", "2", "3"].map((digit) => `${digit}a2b3c4d-0000-4000-8000-000000000000`)
    for (const runId of runIds) await runner.start(chart, { runId, prompt: "Go." }).whenSettled()
    const kept = rowsOf(
      place,
      "SELECT length(header) AS bytes FROM run_headers UNION ALL SELECT length(record) FROM run_records",
    ).map(({ bytes }) => Number(bytes))
    expect(rowsOf(place, "SELECT hash FROM run_charts")).toHaveLength(1)
    expect(kept).toHaveLength(6)
    expect(kept.reduce((sum, bytes) => sum + bytes, 0) / 3).toBeLessThan(300)
    await runner.close()
    journal.close()
    const later = sqliteJournal(place)
    expect(later.load(runIds[1] ?? "")).toMatchObject({
      header: { runId: runIds[1], chart: JSON.parse(JSON.stringify(chart)) as object },
    })
    later.close()
  })

  test("two different charts with the same fingerprint are stored separately", async () => {
    const place = join(folder, "claims.sqlite")
    const journal = sqliteJournal(place)
    const [one, other] = [asking("boss"), asking("chief")]
    await journal.create({ ...header, runId: "one", chart: one })
    await journal.create({
      ...header,
      runId: "other",
      chart: { ...other, fingerprint: one.fingerprint },
    })
    journal.close()
    const again = sqliteJournal(place)
    expect(Object.keys((await again.load("one"))?.header.chart.agents ?? {})).toContain("boss")
    expect(Object.keys((await again.load("other"))?.header.chart.agents ?? {})).toContain("chief")
    again.close()
  })

  test("a missing chart causes journal_corrupt", () => {
    const place = join(folder, "missing.sqlite")
    const journal = sqliteJournal(place)
    void journal.create({ ...header, runId: "r", chart: asking("boss") })
    journal.close()
    const database = connect(place)
    database.exec("DELETE FROM run_charts")
    database.close()
    const again = sqliteJournal(place)
    expect(() => again.load("r")).toThrow(expect.objectContaining({ code: "journal_corrupt" }))
    again.close()
  })
})

describe("concurrent writes of runs in SQLite", () => {
  const chart = chartOf([human("boss")])
  const record = (n: number): JournalRecord => [n, true, { n }, 1]
  const outcome = (promise: void | Promise<void>) =>
    Promise.resolve(promise).then(
      () => "stored",
      ({ code }: { code: string }) => code,
    )

  test("concurrent writes share a commit, and each run has its own records", async () => {
    const place = join(folder, "at-once.sqlite")
    const journal = sqliteJournal(place)
    const runIds = Array.from({ length: 50 }, (_, n) => `r${n}`)
    const commits = commitsOf(place)
    await Promise.all(runIds.map((runId) => journal.create({ ...header, runId, chart })))
    await Promise.all(
      runIds.flatMap((runId, n) => [
        journal.append(runId, record(2 * n)),
        journal.append(runId, record(2 * n + 1)),
      ]),
    )
    await Promise.all(
      runIds.flatMap((runId) => [
        journal.note(runId, { status: "completed", pending: [], at: 1 }),
        journal.release(runId),
      ]),
    )
    expect(commits()).toBe(3)
    expect(runIds.map((runId) => journal.load(runId))).toMatchObject(
      runIds.map((runId, n) => ({
        header: { runId },
        records: [record(2 * n), record(2 * n + 1)],
      })),
    )
    expect(journal.list({ status: "completed" }).map(({ runId, owner }) => [runId, owner])).toEqual(
      runIds.map((runId) => [runId, null]),
    )
    journal.close()
  })

  test("a refused write does not affect other writes", async () => {
    const journal = sqliteJournal(join(folder, "refused.sqlite"))
    await journal.create({ ...header, runId: "there", chart })
    const outcomes = [
      journal.append("there", record(0)),
      journal.create({ ...header, runId: "there", chart }),
      journal.create({ ...header, runId: "new", chart }),
      journal.create({ ...header, runId: "new", chart }),
      journal.append("nobody's", record(0)),
      journal.append("new", record(0)),
    ]
    expect(await Promise.all(outcomes.map(outcome))).toEqual([
      "stored",
      "run_exists",
      "stored",
      "run_exists",
      "run_owned",
      "stored",
    ])
    expect([journal.load("there"), journal.load("new"), journal.load("nobody's")]).toMatchObject([
      { records: [record(0)] },
      { records: [record(0)] },
      null,
    ])
    journal.close()
  })

  test("a failed commit stores nothing and rejects all of its writes, and later writes succeed", async () => {
    const place = join(folder, "locked.sqlite")
    const journal = sqliteJournal(place, { busyTimeoutMs: 1 })
    await journal.create({ ...header, runId: "a", chart })
    await journal.append("a", record(0))
    const other = connect(place)
    other.exec("BEGIN IMMEDIATE")
    const note = { status: "waiting" as const, pending: [], at: 1 }
    const outcomes = [
      journal.append("a", record(1)),
      journal.create({ ...header, runId: "b", chart }),
      journal.note("a", note),
      journal.release("a"),
    ]
    expect(await Promise.all(outcomes.map(outcome))).toEqual([
      "journal_failed",
      "journal_failed",
      "journal_failed",
      "journal_failed",
    ])
    other.exec("ROLLBACK")
    other.close()
    expect([journal.load("a"), journal.load("b")]).toMatchObject([{ records: [record(0)] }, null])
    expect(
      await Promise.all(
        [journal.append("a", record(1)), journal.create({ ...header, runId: "b", chart })].map(
          outcome,
        ),
      ),
    ).toEqual(["stored", "stored"])
    expect([journal.load("a"), journal.load("b")]).toMatchObject([
      { records: [record(0), record(1)] },
      { records: [] },
    ])
    journal.close()
  })

  test("a failed write rolls back all records and owner changes of its commit", async () => {
    const place = join(folder, "broken.sqlite")
    const journal = sqliteJournal(place)
    await journal.create({ ...header, runId: "a", chart })
    await journal.append("a", record(0))
    const other = connect(place)
    other.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON run_records WHEN NEW.record LIKE '[7,%' BEGIN SELECT RAISE(ABORT, 'a bad sector'); END",
    )
    const outcomes = [
      journal.append("a", record(1)),
      journal.create({ ...header, runId: "b", chart }),
      journal.release("b"),
      journal.release("a"),
      journal.append("a", record(1)),
    ]
    expect(await Promise.all(outcomes.map(outcome))).toEqual([
      "stored",
      "stored",
      "stored",
      "stored",
      "run_owned",
    ])
    await journal.acquire("a")
    const broken = [
      journal.append("a", record(2)),
      journal.create({ ...header, runId: "c", chart }),
      journal.append("c", record(7)),
      journal.release("c"),
      journal.release("a"),
    ]
    expect(await Promise.all(broken.map(outcome))).toEqual([
      "journal_failed",
      "journal_failed",
      "journal_failed",
      "journal_failed",
      "journal_failed",
    ])
    other.exec("DROP TRIGGER broken")
    expect([journal.load("a"), journal.load("c")]).toMatchObject([
      { records: [record(0), record(1)] },
      null,
    ])
    expect(journal.list().map(({ runId, owner }) => [runId, owner !== null])).toEqual([
      ["a", true],
      ["b", false],
    ])
    const again = [
      journal.append("a", record(2)),
      journal.create({ ...header, runId: "c", chart }),
      journal.append("c", record(7)),
      journal.release("a"),
    ]
    expect(await Promise.all(again.map(outcome))).toEqual(["stored", "stored", "stored", "stored"])
    expect([journal.load("a"), journal.load("c")]).toMatchObject([
      { records: [record(0), record(1), record(2)] },
      { records: [record(7)] },
    ])
    other.close()
    journal.close()
  })

  test("a write is visible to reads at once, and is stored when the journal is closed", async () => {
    const place = join(folder, "looked-at.sqlite")
    const journal = sqliteJournal(place)
    const stored = [
      journal.create({ ...header, runId: "r", chart }),
      journal.append("r", record(0)),
    ]
    expect(journal.load("r")).toMatchObject({ records: [record(0)] })
    expect(journal.list()).toHaveLength(1)
    stored.push(journal.append("r", record(1)))
    journal.close()
    expect(await Promise.all(stored.map(outcome))).toEqual(["stored", "stored", "stored"])
    const later = sqliteJournal(place)
    expect(later.load("r")).toMatchObject({ records: [record(0), record(1)] })
    later.close()
  })

  test("a run with the stored status waiting is listed as running after it continues", async () => {
    const journal = sqliteJournal(join(folder, "noted.sqlite"))
    await journal.create({ ...header, runId: "r", chart })
    await journal.note("r", { status: "waiting", pending: [], at: 1 })
    expect(journal.list()).toMatchObject([{ status: "waiting" }])
    await journal.append("r", record(0))
    expect(journal.list()).toMatchObject([{ status: "running" }])
    await journal.note("r", { status: "waiting", pending: [], at: 1 })
    await journal.release("r")
    await journal.acquire("r")
    expect(journal.list()).toMatchObject([{ status: "waiting" }])
    await journal.append("r", record(1))
    expect(journal.list()).toMatchObject([{ status: "running" }])
    expect(journal.load("r")).toMatchObject({ records: [record(0), record(1)] })
    journal.close()
  })
})

test("a file with tables of another program is refused", () => {
  const place = join(folder, "others.sqlite")
  const database = connect(place)
  database.exec("CREATE TABLE runs (athlete TEXT, metres INTEGER)")
  database.close()
  const failure = {
    code: "journal_failed",
    message: expect.stringContaining("belong to another program or to another version") as string,
  }
  expect(() => sqliteJournal(place)).toThrow(expect.objectContaining(failure))
})

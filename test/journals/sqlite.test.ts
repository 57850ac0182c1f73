import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "libsql"
import { afterAll, describe, expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { createRunner } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
afterAll(() => rmSync(folder, { recursive: true }))

describeJournal("SQLite", (place) => sqliteJournal(join(folder, `${place}.sqlite`)))

describe("what a run takes in SQLite", () => {
  const asking = (id: string) => chartOf([sequence("all", ["first", id]), llm("first"), human(id)])
  const rowsOf = (place: string, sql: string): readonly Record<string, unknown>[] => {
    const database = new Database(place, { readonly: true })
    try {
      return database.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      database.close()
    }
  }

  test("runs of one chart keep it once: one that waits for a person takes 300 bytes beside it", async () => {
    const place = join(folder, "charts.sqlite")
    const journal = sqliteJournal(place)
    const runner = createRunner({ ...scriptedServices({ first: Array.from({ length: 3 }, () => ({ content: "A text." })) }), journal })
    const chart = asking("boss")
    const runIds = ["1", "2", "3"].map((digit) => `${digit}a2b3c4d-0000-4000-8000-000000000000`)
    for (const runId of runIds) await runner.start(chart, { runId, prompt: "Go." }).rest()
    const kept = rowsOf(place, "SELECT length(header) AS bytes FROM run_headers UNION ALL SELECT length(record) FROM run_records").map(({ bytes }) => Number(bytes))
    expect(rowsOf(place, "SELECT hash FROM run_charts")).toHaveLength(1)
    expect(kept).toHaveLength(6)
    expect(kept.reduce((sum, bytes) => sum + bytes, 0) / 3).toBeLessThan(300)
    await runner.close()
    journal.close()
    const later = sqliteJournal(place)
    expect(later.load(runIds[1] ?? "")).toMatchObject({ header: { runId: runIds[1], chart: JSON.parse(JSON.stringify(chart)) as object } })
    later.close()
  })

  test("a chart that only claims to be another one is a chart of its own, and an older file is read", async () => {
    const place = join(folder, "claims.sqlite")
    const journal = sqliteJournal(place)
    const [one, other] = [asking("boss"), asking("chief")]
    const header = { format: 1 as const, input: { prompt: null, state: {} }, at: 1 }
    journal.create({ ...header, runId: "one", chart: one })
    journal.create({ ...header, runId: "other", chart: { ...other, fingerprint: one.fingerprint } })
    journal.close()
    const database = new Database(place)
    database.prepare("UPDATE run_headers SET header = ? WHERE run = ?").run(JSON.stringify({ ...header, runId: "one", chart: one }), '"one"')
    database.close()
    const again = sqliteJournal(place)
    expect(Object.keys((await again.load("one"))?.header.chart.agents ?? {})).toContain("boss")
    expect(Object.keys((await again.load("other"))?.header.chart.agents ?? {})).toContain("chief")
    again.close()
  })

  test("a chart that is missing is said, not guessed", () => {
    const place = join(folder, "missing.sqlite")
    const journal = sqliteJournal(place)
    journal.create({ format: 1, runId: "r", input: { prompt: null, state: {} }, at: 1, chart: asking("boss") })
    journal.close()
    const database = new Database(place)
    database.exec("DELETE FROM run_charts")
    database.close()
    const again = sqliteJournal(place)
    expect(() => again.load("r")).toThrow(expect.objectContaining({ code: "journal_corrupt" }))
    again.close()
  })
})

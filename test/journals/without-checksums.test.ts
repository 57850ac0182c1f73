import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { newPlace } from "../security/stored-runs.js"
import { chartOf, human } from "../support/workflow.js"

describe("journals of the version without checksums, which wrote the files in without-checksums", () => {
  const clerk = { call: async () => ({ content: "paid" }) }
  const copied = (): string => {
    const place = newPlace("runs")
    cpSync(fileURLToPath(new URL("without-checksums", import.meta.url)), place, { recursive: true })
    return place
  }

  test.each([
    ["JSON lines", (place: string) => jsonlJournal(place)],
    ["SQLite", (place: string) => sqliteJournal(join(place, "runs.sqlite"))],
  ])("runs in %s are listed, read, resumed and verified", async (_, open) => {
    const place = copied()
    const journal = open(place)
    expect(
      [...(await journal.list())].map(({ runId, status }) => `${runId} ${status}`).sort(),
    ).toEqual(["completed completed", "interrupted running", "waiting waiting"])
    expect((await journal.load("completed"))?.records).toHaveLength(3)
    const runner = createRunner({ journal, models: { muse: clerk } })
    const run = await runner.resume("waiting")
    run.answer("line/boss#0", "yes")
    expect(await run.result).toMatchObject({ status: "completed", text: "paid" })
    await runner.start(chartOf([human("boss")]), { runId: "later" }).whenSettled()
    await runner.close()
    expect((await journal.load("waiting"))?.records).toHaveLength(3)
    const checks = [...journal.verify()].map(({ runId, problem, notes }) => [
      runId,
      problem,
      notes.length,
    ])
    expect(checks).toHaveLength(4)
    expect(checks).toEqual(
      expect.arrayContaining([
        ["completed", null, 1],
        ["interrupted", null, 1],
        ["waiting", null, 1],
        ["later", null, 0],
      ]),
    )
  })

  test("a changed chart causes an error, because it does not match its fingerprint", () => {
    const place = copied()
    const file = join(place, "waiting.jsonl")
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("Pay 1000?", "Pay 9000?"))
    expect(() => jsonlJournal(place).load("waiting")).toThrow(
      expect.objectContaining({
        code: "journal_corrupt",
        message: expect.stringContaining("does not match its fingerprint") as string,
      }),
    )
  })
})

import { join } from "node:path"
import { expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { cli, isBuilt } from "../cli/command.js"
import { changed, rewritten } from "./stored-runs.js"

test.each([
  [
    "a changed value",
    (lines: readonly string[]) => lines.with(2, (lines[2] ?? "").replace("2000", "9000")),
    3,
  ],
  ["a missing line", (lines: readonly string[]) => lines.toSpliced(2, 1), 3],
  ["a repeated line", (lines: readonly string[]) => lines.toSpliced(2, 0, lines[1] ?? ""), 3],
  [
    "two lines in another order",
    (lines: readonly string[]) => lines.with(1, lines[2] ?? "").with(2, lines[1] ?? ""),
    2,
  ],
  [
    "a changed value in the last line",
    (lines: readonly string[]) => lines.with(3, (lines[3] ?? "").replace("3000", "9000")),
    4,
  ],
  [
    "a removed checksum",
    (lines: readonly string[]) => lines.with(2, (lines[2] ?? "").replace(/,"[0-9a-f]{8}"\]$/, "]")),
    3,
  ],
  [
    "a changed prompt in the header",
    (lines: readonly string[]) => lines.with(0, (lines[0] ?? "").replace("Go.", "No.")),
    1,
  ],
])("the error for %s in a JSON Lines file names the line", async (_, change, line) => {
  const place = await rewritten(change)
  const refusal = expect.objectContaining({
    code: "journal_corrupt",
    message: expect.stringContaining(`line ${line} of ${join(place, "r.jsonl")}`) as string,
  }) as Error
  const journal = jsonlJournal(place)
  expect(() => journal.load("r")).toThrow(refusal)
  await expect(createRunner({ journal }).resume("r")).rejects.toEqual(refusal)
  expect(journal.verify()).toMatchObject([{ problem: { code: "journal_corrupt" } }])
})

test.each([
  [
    "a changed value",
    "UPDATE run_records SET record = replace(record, '2000', '9000') WHERE run = 1",
    "record 1 of run",
  ],
  ["a missing record", "DELETE FROM run_records WHERE run = 1 AND position = 1", "record 1 of run"],
  [
    "a missing last record",
    "DELETE FROM run_records WHERE run = 1 AND position = 2",
    "the last record of run",
  ],
  [
    "records in another order",
    "UPDATE run_records SET position = 7 - position WHERE run = 1",
    "record 0 of run",
  ],
  [
    "records of another run",
    "DELETE FROM run_records WHERE run = 1; UPDATE run_records SET run = 1 WHERE run = 2",
    "record 0 of run",
  ],
  [
    "the header of another run",
    "UPDATE run_headers SET header = (SELECT header FROM run_headers WHERE run = 2) WHERE run = 1",
    "the header of run",
  ],
  [
    "a changed chart",
    "UPDATE run_charts SET chart = replace(chart, 'one', 'two')",
    "the chart of run",
  ],
  ["a changed status", "UPDATE runs SET status = 'completed' WHERE number = 1", "row 1 of runs"],
  [
    "missing checksums",
    "UPDATE runs SET crc = NULL, tail = NULL WHERE number = 1",
    "the header of run",
  ],
])("the error for %s in a SQLite file names the row", async (_, sql, words) => {
  const place = await changed(sql)
  const journal = sqliteJournal(place)
  expect(() => journal.load("r")).toThrow(
    expect.objectContaining({
      code: "journal_corrupt",
      message: expect.stringContaining(words) as string,
    }),
  )
  expect(journal.verify("r")).toContainEqual(
    expect.objectContaining({
      problem: expect.objectContaining({ code: "journal_corrupt" }) as Error,
    }),
  )
  journal.close()
})

test.skipIf(!isBuilt)(
  "runs verify prints the location of the damage and exits with code 1",
  async () => {
    const lines = await rewritten((all) => all.with(2, (all[2] ?? "").replace("2000", "9000")))
    const rows = await changed(
      "UPDATE run_records SET record = replace(record, '2000', '9000') WHERE run = 1",
    )
    for (const [place, words] of [
      [lines, `line 3 of ${join(lines, "r.jsonl")}`],
      [rows, `record 1 of run "r" in ${rows}`],
    ] as const) {
      const found = await cli(["runs", "verify", "--journal", place])
      expect(found.stdout).toContain("journal_corrupt")
      expect(found.stdout).toContain(words)
      expect(found.stdout).toMatch(/\d runs? checked, 1 damaged\n$/)
      expect(found.code).toBe(1)
    }
    const whole = await cli(["runs", "verify", "s", "--journal", await changed(""), "--json"])
    expect(JSON.parse(whole.stdout)).toMatchObject([
      { runId: "s", records: 3, problem: null, notes: [] },
    ])
    expect(whole.code).toBe(0)
  },
)

import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { isBuilt } from "../cli/command.js"
import { chartOf, llm, sequence } from "../support/workflow.js"

test.skipIf(!isBuilt)(
  "the size of a journal grows with the records of its run, not with the square of the conversation",
  async () => {
    // The measurement of `npm run bench`. It does not depend on a clock.
    const { journalGrowth } = await import("../../bench/journal-growth.mjs")
    const found = await journalGrowth({ sizes: [50, 100, 200], print: false })
    expect(found.map(({ kind }) => kind)).toEqual([
      ...Array<string>(4).fill("JSONL"),
      ...Array<string>(4).fill("SQLite"),
    ])
    for (const { kind, name, points, k } of found) {
      expect(
        points.map(({ n }) => n),
        name,
      ).toEqual([50, 100, 200])
      expect(
        points.every(({ n, records }) => records >= n),
        name,
      ).toBe(true)
      expect(k, `${name} in ${kind}`).toBeGreaterThan(0.9)
      expect(k, `${name} in ${kind}`).toBeLessThanOrEqual(1.1)
    }
  },
)

test("a record in SQLite has the same size for a large and a small chart, as the chart is not written again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "growth-"))
  const written = async (agents: number): Promise<number> => {
    const ids = Array.from({ length: agents }, (_, index) => `a${index}`)
    const file = join(folder, `${agents}.sqlite`)
    const journal = sqliteJournal(file)
    await journal.create({
      format: 1,
      runId: "r",
      chart: chartOf([sequence("line", ids), ...ids.map((id) => llm(id))]),
      input: { prompt: null, state: {} },
      at: 1,
    })
    const before = statSync(`${file}-wal`).size
    for (let n = 0; n < 20; n++) await journal.append("r", [n, true, { content: "x" }, 1])
    const { size } = statSync(`${file}-wal`)
    journal.close()
    return size - before
  }
  expect(await written(200)).toBe(await written(2))
  rmSync(folder, { recursive: true })
})

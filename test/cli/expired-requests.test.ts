import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import { createRunner } from "../../src/runtime/index.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { chartOf, human } from "../support/workflow.js"
import { cli, folderWith, isBuilt } from "./command.js"

/** Creates a folder with a waiting run. Its request was made in 2023 and expired an hour later. */
async function folderWithOverdueRun(place: string, onExpiry: string): Promise<string> {
  const cwd = folderWith({})
  const file = join(cwd, place)
  const sqlite = place.endsWith(".sqlite") ? sqliteJournal(file) : null
  const journal = sqlite ?? jsonlJournal(file)
  const runner = createRunner({ journal, clock: simulatedClock() })
  const chart = chartOf([human("boss", { expiresIn: "1h", onExpiry })])
  await runner.start(chart, { runId: "overdue" }).whenSettled()
  await runner.close()
  sqlite?.close()
  return cwd
}

describe.skipIf(!isBuilt).each(["runs", "runs.sqlite"])(
  "a request that expired while no process executed its run (%s)",
  (place) => {
    test.each([
      ["continue", 0, "completed"],
      ["fail", 1, "request_expired"],
    ] as const)(
      "resume applies onExpiry %s to a request that expired while no process executed its run",
      async (onExpiry, code, said) => {
        const cwd = await folderWithOverdueRun(place, onExpiry)
        const resumed = await cli(["resume", "overdue", "--journal", place], { cwd })
        expect(resumed.code).toBe(code)
        expect(resumed.stdout + resumed.stderr).toContain(said)
      },
    )

    test("an expired request does not accept an answer", async () => {
      const cwd = await folderWithOverdueRun(place, "continue")
      const answered = await cli(["runs", "answer", "overdue", "yes", "--journal", place], { cwd })
      expect(answered.code).not.toBe(0)
      const shown = await cli(["runs", "show", "overdue", "--json", "--journal", place], { cwd })
      expect(shown.stdout).not.toContain('"yes"')
      expect(JSON.parse(shown.stdout)).toMatchObject({ status: "completed" })
    })
  },
)

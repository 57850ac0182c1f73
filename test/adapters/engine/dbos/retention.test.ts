import { DBOS } from "@dbos-inc/dbos-sdk"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { DbosRuns } from "../../../../src/adapters/engine/dbos/index.js"
import { dbosRuns } from "../../../../src/adapters/engine/dbos/index.js"
import { eventually } from "../../../support/eventually.js"
import type { Postgres } from "../../../support/postgres.js"
import { programs, startPostgres, whyNot } from "../../../support/postgres.js"
import { chartOf, human } from "../../../support/workflow.js"

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

const canary = "canary-5b2e"
const chart = chartOf([human("boss")])

describe.skipIf(!isThere)("the retention of runs on DBOS", () => {
  let postgres: Postgres
  let runs: DbosRuns

  beforeAll(async () => {
    postgres = await startPostgres()
    runs = dbosRuns({})
    const silent = { info() {}, debug() {}, warn() {}, error() {} }
    DBOS.setConfig({ name: "agents", systemDatabaseUrl: postgres.url, logger: silent })
    await DBOS.launch()
  })
  afterAll(async () => {
    await DBOS.shutdown()
    await postgres.stop()
  })

  /** Returns everything that DBOS stores, as XML. */
  const stored = (): string => postgres.query("SELECT schema_to_xml('dbos', true, false, '')")
  const start = async (runId: string): Promise<void> => {
    await runs.start(chart, { runId, prompt: `${canary} ${runId}` })
  }
  const end = async (runId: string): Promise<void> => {
    await runs.give(runId, { type: "answer", id: "boss#0", value: canary }, `key of ${runId}`)
    expect(await runs.result(runId)).toMatchObject({ status: "completed" })
  }

  test("a run that has ended can be deleted, and leaves nothing in the database", async () => {
    await start("open")
    await expect(runs.delete("open")).rejects.toMatchObject({ code: "run_owned" })
    await end("open")
    expect(stored()).toContain(canary)
    await runs.delete("open")
    expect(stored()).not.toContain(canary)
    await expect(runs.status("open")).rejects.toMatchObject({ code: "run_unknown" })
    await expect(runs.delete("open")).rejects.toMatchObject({ code: "run_unknown" })
  })

  test("prune deletes the runs that ended before a time, and no other runs", async () => {
    await Promise.all(["old-1", "old-2", "waiting"].map(start))
    await Promise.all(["old-1", "old-2"].map(end))
    const ended = await DBOS.listWorkflows({ workflowIDs: ["old-1", "old-2"] })
    const [first = 0, last = 0] = ended
      .map(({ completedAt = 0 }) => completedAt)
      .sort((one, other) => one - other)
    expect(await runs.prune({ endedBefore: first })).toEqual({ runIds: [] })
    const { runIds } = await runs.prune({ endedBefore: last + 1 })
    expect([...runIds].sort()).toEqual(["old-1", "old-2"])
    expect(stored()).not.toContain("old-1")
    await eventually(async () =>
      expect(await runs.status("waiting")).toMatchObject({ status: "waiting" }),
    )
  })
})

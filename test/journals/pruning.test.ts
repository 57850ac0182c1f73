import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/index.js"
import type {
  CompleteJournal,
  Journal,
  JournalHeader,
  RunSummary,
} from "../../src/runtime/journal/journal.js"
import { sqliteDeliveryStore } from "../../src/adapters/delivery/sqlite/sqlite-delivery-store.js"
import { newProgress } from "../../src/server/webhooks/deliverer.js"
import { memoryJournal, pruneRuns } from "../../src/runtime/index.js"
import { chartOf, human } from "../support/workflow.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { startTestServer } from "../server/test-server.js"
import { cli } from "../cli/command.js"

const folder = mkdtempSync(join(tmpdir(), "pruning-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const chart = chartOf([human("boss")])

/** Text that deleted runs contain, and that no file may contain afterwards. */
const canary = "canary-7f3a"

interface EndedRun {
  readonly status?: RunSummary["status"]
  readonly at?: number
  readonly calledBy?: string
}

async function store(
  journal: CompleteJournal,
  runId: string,
  { status = "completed", at = 1000, calledBy }: EndedRun = {},
): Promise<void> {
  const header: JournalHeader = {
    format: 1,
    runId,
    // Each run has a chart of its own, so that unused charts are deleted too.
    chart: { ...chart, id: `chart of ${runId}` },
    input: { prompt: `${canary} ${"x".repeat(500)}`, state: { chart: canary } },
    at: 1,
    ...(calledBy !== undefined && {
      calledBy: { runId: calledBy, path: "a", depth: 1, limits: { maxModelCalls: null } } as never,
    }),
  }
  await journal.create(header)
  await journal.append(runId, [0, true, { content: canary }, 2])
  if (status !== "running") await journal.note(runId, { status, pending: [], at })
  await journal.release(runId)
}

const journals: Readonly<
  Record<string, (place: string) => CompleteJournal & { compact?(): void }>
> = {
  memory: () => memoryJournal(),
  jsonl: (place) => jsonlJournal(join(folder, place)),
  sqlite: (place) => sqliteJournal(join(folder, `${place}.sqlite`)),
}

describe.each(Object.keys(journals))("pruneRuns with the journal %s", (name) => {
  const open = journals[name] as NonNullable<(typeof journals)[string]>
  const idsIn = async (journal: Journal): Promise<readonly string[]> =>
    ((await journal.list?.()) ?? []).map(({ runId }) => runId).sort()

  test("deletes the runs that ended before a time, and no other run", async () => {
    const journal = open(`${name}-ended`)
    await store(journal, "old")
    await store(journal, "failed", { status: "failed" })
    await store(journal, "new", { at: 5000 })
    await store(journal, "waiting", { status: "waiting" })
    await store(journal, "running", { status: "running" })
    await store(journal, "resumed")
    await journal.acquire("resumed")
    const dry = await pruneRuns(journal, { endedBefore: 2000, dryRun: true })
    expect([...dry.runIds].sort()).toEqual(["failed", "old", "resumed"])
    expect(await idsIn(journal)).toHaveLength(6)
    expect(await pruneRuns(journal, { endedBefore: 2000, statuses: ["failed"] })).toEqual({
      runIds: ["failed"],
      inUse: [],
    })
    expect(await pruneRuns(journal, { endedBefore: 2000 })).toEqual({
      runIds: ["old"],
      inUse: ["resumed"],
    })
    expect(await idsIn(journal)).toEqual(["new", "resumed", "running", "waiting"])
    expect((await journal.load("new"))?.records).toHaveLength(1)
  })

  test("keeps a child run as long as its caller is kept", async () => {
    const journal = open(`${name}-children`)
    await store(journal, "open", { status: "waiting" })
    await store(journal, "child of open", { calledBy: "open" })
    await store(journal, "grandchild", { calledBy: "child of open" })
    await store(journal, "ended")
    await store(journal, "child of ended", { calledBy: "ended" })
    await store(journal, "orphan", { calledBy: "deleted before" })
    const { runIds } = await pruneRuns(journal, { endedBefore: 2000 })
    expect([...runIds].sort()).toEqual(["child of ended", "ended", "orphan"])
  })
})

test("compact shortens the SQLite file and removes the data of deleted runs from it", async () => {
  const file = join(folder, "compact.sqlite")
  const journal = sqliteJournal(file)
  await store(journal, "kept", { status: "waiting" })
  for (let n = 0; n < 60; n++) await store(journal, `old-${n}`)
  const other = sqliteJournal(file)
  const { runIds } = await pruneRuns(journal, { endedBefore: 2000 })
  expect(runIds).toHaveLength(60)
  const before = statSync(file).size + statSync(`${file}-wal`).size
  journal.compact()
  const files = readdirSync(folder).filter((name) => name.startsWith("compact.sqlite"))
  const bytes = files.map((name) => readFileSync(join(folder, name), "latin1")).join("")
  expect(bytes.length).toBeLessThan(before / 5)
  expect(bytes.split("chart of old")).toHaveLength(1)
  expect(bytes.split(canary).length - 1).toBe(3)
  expect((await other.load("kept"))?.header.chart.id).toBe("chart of kept")
  // A chart that was deleted is stored again with the next run.
  await store(other, "old-1")
  expect((await journal.load("old-1"))?.header.chart.id).toBe("chart of old-1")
  journal.close()
  other.close()
})

test("pruneRuns needs a journal that can list and delete runs", async () => {
  const { list: _list, ...journal } = memoryJournal()
  await expect(pruneRuns(journal, { endedBefore: 1 })).rejects.toMatchObject({
    code: "argument_invalid",
  })
})

describe("the commands that delete runs", () => {
  const place = join(folder, "commands.sqlite")

  test("runs prune prints the runs first with --dry-run, and then deletes them", async () => {
    const journal = sqliteJournal(place)
    await store(journal, "old")
    await store(journal, "waiting", { status: "waiting" })
    const args = ["runs", "prune", "--journal", place, "--older-than", "30d"]
    const dry = await cli([...args, "--dry-run"])
    expect(dry.stdout).toBe("old\n1 run would be deleted\n")
    expect((await cli([...args, "--status", "failed"])).stdout).toBe("0 runs deleted\n")
    expect(JSON.parse((await cli([...args, "--json"])).stdout)).toEqual({
      runIds: ["old"],
      inUse: [],
      dryRun: false,
    })
    expect(journal.list().map(({ runId }) => runId)).toEqual(["waiting"])
    journal.close()
  })

  test("runs delete deletes a run by the start of its id, and refuses a run in use", async () => {
    const journal = sqliteJournal(place)
    await store(journal, "order-1")
    await store(journal, "order-2")
    await journal.acquire("order-2")
    expect(await cli(["runs", "delete", "order-1", "--journal", place])).toMatchObject({
      code: 0,
      stdout: "deleted order-1\n",
    })
    const refused = await cli(["runs", "delete", "order-2", "--journal", place])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain("run_owned")
    expect(journal.list().map(({ runId }) => runId)).toContain("order-2")
    journal.close()
  })

  test("the webhook deliveries of a deleted run are deleted with it", async () => {
    const deliveries = sqliteDeliveryStore(place)
    const journal = sqliteJournal(place)
    for (const runId of ["sent-1", "sent-2"]) {
      await store(journal, runId)
      await deliveries.create({ runId, receiver: "crm" }, newProgress(0, 1))
    }
    await cli(["runs", "delete", "sent-1", "--journal", place])
    expect((await deliveries.list()).map(({ runId }) => runId)).toEqual(["sent-2"])
    await cli(["runs", "prune", "--journal", place, "--older-than", "30d"])
    expect(await deliveries.list()).toEqual([])
    expect(journal.list().map(({ runId }) => runId)).not.toContain("sent-2")
    journal.close()
    await deliveries.close()
  })

  test("an age without a unit and an invalid status are usage errors", async () => {
    const prune = ["runs", "prune", "--journal", place, "--older-than"]
    expect(await cli([...prune, "30"])).toMatchObject({ code: 2 })
    const { code, stderr } = await cli([...prune, "1d", "--status", "waiting"])
    expect(code).toBe(2)
    expect(stderr).toContain("completed, failed, cancelled, limit")
  })
})

test("serve --retain deletes old runs when it starts, and keeps the others", async () => {
  const place = join(folder, "served.sqlite")
  const journal = sqliteJournal(place)
  await store(journal, "old")
  await store(journal, "new", { at: Date.now() })
  await store(journal, "waiting", { status: "waiting" })
  const example = join(projectFolder, "examples/travel-planner")
  const server = await startTestServer(example, place, [
    "--scripted",
    "--no-auth",
    "--retain",
    "1h",
  ])
  try {
    await expect.poll(() => server.said()).toContain("Deleted 1 run (--retain).")
    expect(journal.list().map(({ runId }) => runId)).toEqual(["new", "waiting"])
  } finally {
    await server.stop()
    journal.close()
  }
})

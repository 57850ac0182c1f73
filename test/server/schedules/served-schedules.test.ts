import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../../src/client/index.js"
import { jsonlJournal } from "../../../src/adapters/journal/jsonl/index.js"
import { scheduledRunOf } from "../../../src/runtime/journal/schedule-run-id.js"
import { cli, isBuilt } from "../../cli/command.js"
import { eventually } from "../../support/eventually.js"
import { differences } from "../open-api-check.js"
import type { TestServer } from "../test-server.js"
import { startServerProcess } from "../test-server.js"

const place = mkdtempSync(join(tmpdir(), "schedules-"))
const runs = join(place, "runs")
const file = join(place, "schedules.json")
afterAll(() => rmSync(place, { recursive: true }))

const every = { name: "often", workflow: "report", every: "1s", missed: "run-all" }
const daily = { name: "daily", workflow: "report", cron: "0 8 * * *", timezone: "Europe/Berlin" }

const write = (...schedules: readonly object[]): void =>
  writeFileSync(file, JSON.stringify({ schedules }))

beforeAll(() => {
  mkdirSync(join(place, "report"))
  writeFileSync(
    join(place, "report/workflow.json"),
    JSON.stringify({
      rootAgentId: "boss",
      agents: [
        { type: "HumanAgent", id: "boss", prompt: "Report of {due_time}?", outputKey: "verdict" },
      ],
    }),
  )
})

const dueTimes = async (): Promise<readonly number[]> =>
  (await jsonlJournal(runs).list())
    .flatMap(({ runId }) => Date.parse(scheduledRunOf(runId)?.dueTime ?? ""))
    .sort((one, other) => one - other)

describe.skipIf(!isBuilt)("a server with schedules", () => {
  const servers: TestServer[] = []
  const serve = async (): Promise<TestServer> => {
    const server = await startServerProcess(place, runs, [
      "--schedules",
      file,
      "--token",
      "test-token",
    ])
    servers.push(server)
    return server
  }
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop("SIGKILL")))
  })

  test("a server starts a run for each due time, and continues after it was killed", async () => {
    write({ ...every, overlap: "allow", dueTimeKey: "due_time" }, { ...daily, paused: true })
    const killed = await serve()
    await eventually(async () => expect((await dueTimes()).length).toBeGreaterThan(1))
    await killed.stop("SIGKILL")
    const before = (await dueTimes()).length
    const server = await serve()
    await eventually(async () => expect((await dueTimes()).length).toBeGreaterThan(before + 1))
    const answer = await server.ask("/v1/schedules")
    const { body: document } = await server.ask("/openapi.json")
    expect(differences(document, "GET", "/v1/schedules", answer)).toEqual([])
    const [often, paused] = await createClient({
      url: server.origin,
      token: server.token,
    }).schedules()
    expect(often).toMatchObject({
      name: "often",
      workflow: "report",
      everyMs: 1_000,
      missed: "run-all",
      overlap: "allow",
      paused: false,
      lastRun: { status: "waiting", dueAt: expect.any(Number) },
    })
    expect(paused).toMatchObject({ cron: "0 8 * * *", nextDueAt: null, lastRun: null })
    const runId = often?.lastRun?.runId ?? ""
    const { body: run } = await server.ask(`/v1/runs/${runId}`)
    expect(run["pending"]).toEqual([
      expect.objectContaining({ prompt: `Report of ${runId.slice("schedule:often:".length)}?` }),
    ])
    await server.stop()
    const all = await dueTimes()
    expect(all).toEqual(all.map((_, n) => (all[0] ?? 0) + n * 1_000))
  })

  test("runs prune keeps the last run of a schedule", async () => {
    const journal = jsonlJournal(runs)
    const [last] = (await dueTimes()).slice(-1)
    for (const { runId } of await journal.list()) {
      await journal.acquire(runId)
      await journal.note(runId, { status: "completed", pending: [], at: 1 })
      await journal.release(runId)
    }
    expect((await cli(["runs", "prune", "--older-than", "1m", "--journal", runs])).code).toBe(0)
    expect(await dueTimes()).toEqual([last])
  })
})

test("the command schedules prints due times and last runs", async () => {
  write(every, daily, { ...daily, name: "off", paused: true })
  const journal = ["--journal", join(place, "no-runs")]
  const { code, stdout } = await cli(["schedules", file, "--json", "--next", "2", ...journal])
  const listed = JSON.parse(stdout) as readonly { readonly next: readonly string[] }[]
  expect(code).toBe(0)
  expect(listed.map(({ next }) => next.length)).toEqual([2, 2, 0])
  expect(listed[1]).toMatchObject({ name: "daily", workflow: "report", lastRun: null })
  const { stdout: lines } = await cli(["schedules", file, ...journal])
  expect(lines).toMatch(
    /^often +report +next \S+Z +no run yet\ndaily .*\noff +report +paused +no run yet\n$/,
  )
})

test.each([
  [[{ ...daily, cron: "0 8" }], /schedules\[0\]\.cron: "0 8" is not a cron expression/],
  [[{ ...daily, workflow: "other" }], /the workflow "other" does not exist/],
  [[{ ...daily, input: { context: {} } }], /only a run of a graph accepts a context/],
])("serve rejects a schedule file with a mistake: %j", async (schedules, message) => {
  write(...schedules)
  const { code, stderr } = await cli(["serve", place, "--schedules", file, "--journal", runs])
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test, vi } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { JournalHeader } from "../../src/runtime/journal/journal.js"
import { openRuns } from "../../src/server/runs/open-runs.js"
import { isBuilt } from "../cli/command.js"
import { human, llm, sequence } from "../support/workflow.js"
import type { TestServer } from "./test-server.js"
import { startServerProcess, startTestServer } from "./test-server.js"

const place = mkdtempSync(join(tmpdir(), "resumption-"))
const work = join(place, "work")
mkdirSync(work)
afterAll(() => rmSync(place, { recursive: true }))

const workflow = {
  rootAgentId: "line",
  agents: [
    sequence("line", ["boss", "clerk"]),
    human("boss", { expiresIn: "3s", onExpiry: "continue" }),
    llm("clerk"),
  ],
}
writeFileSync(join(work, "workflow.json"), JSON.stringify(workflow))
writeFileSync(
  join(work, "scenario.json"),
  JSON.stringify({ llm: { clerk: [{ delayMs: 300, content: "Filed." }] } }),
)

const statusOf = async (server: TestServer, runId: string): Promise<unknown> =>
  (await server.ask(`/v1/runs/${runId}`)).body["status"]

describe.skipIf(!isBuilt)("a server with --resume", () => {
  test("a server with --resume continues the runs of a killed server, after a call and after a deadline", async () => {
    const journal = join(place, "runs.sqlite")
    const first = await startServerProcess(work, journal, ["--scripted", "--token", "test-token"])
    const second = await startTestServer(work, journal, [
      "--scripted",
      "--resume",
      "--token",
      "test-token",
    ])
    for (const runId of ["calling", "waiting"])
      await first.ask("/v1/runs", { method: "POST", body: { workflow: "work", runId } })
    await first.ask("/v1/runs/calling/answer", {
      method: "POST",
      body: { id: "line/boss#0", value: "yes" },
    })
    await first.stop("SIGKILL")
    for (const runId of ["calling", "waiting"])
      await expect.poll(() => statusOf(second, runId), { interval: 200 }).toBe("completed")
    expect(second.said()).toMatch(/Resumed \d interrupted run/)
    expect(await second.stop()).toBe(0)
  })
})

describe("the search for resumable runs", () => {
  const calls = { http: createHttpServices() }
  const newRun = (chart: AgentChart, runId: string): JournalHeader => ({
    format: 1,
    runId,
    chart,
    input: { prompt: "", state: {} },
    at: 0,
  })

  test("a run that could not be resumed is retried, and the reason is reported", async () => {
    const journal = memoryJournal()
    const server = openRuns({
      path: work,
      journal,
      openServices: vi
        .fn(async () => ({ calls, close: async () => {} }))
        .mockRejectedValueOnce(new Error("no services yet")),
      resume: { intervalMs: 20, onFailed: (error, runId) => failures.push([runId, error]) },
    })
    const failures: unknown[] = []
    const [served] = server.workflows.all
    if (served === undefined) throw new Error("no workflow is served")
    await journal.create(newRun(served.chart, "r"))
    await journal.release("r")
    expect(await server.resume()).toEqual({ resumed: 0, interrupted: 1 })
    expect(failures).toEqual([["r", new Error("no services yet")]])
    // The run is live only for a moment if its first call ends at once.
    await expect.poll(async () => (await journal.load("r"))?.records.length).toBeGreaterThan(0)
    await server.close()
  })

  test("a child run is resumed only if its caller does not resume it", async () => {
    const journal = memoryJournal()
    const server = openRuns({
      path: work,
      journal,
      openServices: async () => ({ calls, close: async () => {} }),
      resume: { intervalMs: 20 },
    })
    const [served] = server.workflows.all
    if (served === undefined) throw new Error("no workflow is served")
    expect(await server.resume()).toEqual({ resumed: 0, interrupted: 0 })
    const lists = vi.spyOn(server.runs, "resumable")
    const resumes = vi.spyOn(server.runs, "resume")
    const calledBy = { runId: "caller", path: "line", depth: 1 }
    await journal.create({ ...newRun(served.chart, "child"), calledBy })
    await journal.release("child")
    await expect.poll(() => resumes.mock.calls.length).toBe(1)
    expect(lists.mock.calls.length).toBeGreaterThanOrEqual(2)
    await server.close()
  })
})

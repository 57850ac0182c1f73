import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import type { ToolRequest } from "../../src/machines/contract/services.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { Journal } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { cliProcess, isBuilt } from "../cli/command.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, httpTool, llm } from "../support/workflow.js"

const place = mkdtempSync(join(tmpdir(), "adopted-"))
afterAll(() => rmSync(place, { recursive: true }))

const agents = (instructions: string) => [llm("clerk", { tools: ["pay"], instructions })]
const globalTools = [httpTool("pay")]
const chart = (instructions: string) => chartOf(agents(instructions), { globalTools })
const workflow = (instructions: string) => ({
  rootAgentId: "clerk",
  initialUserInput: "go",
  agents: agents(instructions),
  globalTools,
})

const models = {
  clerk: [
    {
      content: null,
      toolCalls: [{ id: "c1", function_name: "pay", function_args: { amount: 1000 } }],
    },
    { content: "paid", exitFlow: true },
  ],
}

/** Returns a tool that completes its calls when `answer` is called, and the list of its calls. */
function payTool() {
  const called: ToolRequest[] = []
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let arrive = (): void => {}
  const next = (): Promise<void> => new Promise((resolve) => (arrive = resolve))
  const first = next()
  const tool = {
    async call(request: ToolRequest) {
      called.push(request)
      arrive()
      await answered
      return { paid: true }
    },
  }
  return { tool, called, answer, first, next }
}

/** Starts a run and waits until its tool is called. */
async function payingRun(journal: Journal) {
  const { tool, ...pay } = payTool()
  const runner = createRunner({
    http: { model: scriptedServices(models).http.model, tool },
    journal,
  })
  const run = runner.start(chart("Pay."), { runId: "r" })
  await pay.first
  const other = (on: Journal) =>
    createRunner({
      http: {
        model: scriptedServices({ clerk: models.clerk.slice(1) }).http.model,
        tool,
      },
      journal: on,
    })
  return { run, runner, other, ...pay }
}

describe.each([
  [
    "memory",
    () => {
      const journal = memoryJournal()
      return () => journal
    },
  ],
  ["JSONL", () => () => jsonlJournal(join(place, "runs"))],
  ["SQLite", () => () => sqliteJournal(join(place, "runs.sqlite"))],
] as const)("a run in %s that another runner executes", (_, opener) => {
  const open = opener()

  test("a run cannot be adopted until its runner closes, and a call in progress keeps its idempotency key", async () => {
    const { run, runner, other, called, answer, next } = await payingRun(open())
    const second = other(open())
    await expect(second.adopt("r", chart("Pay at once."))).rejects.toMatchObject({
      code: "run_owned",
    })
    expect(called).toHaveLength(1)
    expect(run.status).toBe("running")

    await runner.close()
    const arrived = next()
    const adopted = await second.adopt("r", chart("Pay at once."), { runId: "r2" })
    await arrived
    // The run is adopted again while the call is in progress. The call keeps its first key.
    await second.close()
    const again = next()
    const third = other(open())
    const last = await third.adopt("r2", chart("Pay now."), { runId: "r3" })
    await again
    answer()
    expect(await last.result).toMatchObject({ runId: "r3", status: "completed", text: "paid" })
    expect(called.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "r/clerk/tool:c1#0",
      "r/clerk/tool:c1#0",
      "r/clerk/tool:c1#0",
    ])
    expect(called.map(({ runId }) => runId)).toEqual(["r", "r2", "r3"])
    expect(adopted.runId).toBe("r2")
    await third.close()
  })
})

test.skipIf(!isBuilt)("replay --adopt rejects a run that another process executes", async () => {
  const journal = jsonlJournal(join(place, "cli-runs"))
  const { runner, called } = await payingRun(journal)
  const config = join(place, "edited.json")
  writeFileSync(config, JSON.stringify(workflow("Pay at once.")))
  const adopt = ["replay", "r", "--config", config, "--journal", join(place, "cli-runs"), "--adopt"]
  const refused = await cliProcess(adopt)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`owned by process ${process.pid}`)
  expect(called).toHaveLength(1)
  await runner.close()
  expect(await cliProcess(adopt)).toMatchObject({ code: 0 })
})

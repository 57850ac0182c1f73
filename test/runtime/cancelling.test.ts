import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { silentServer } from "../support/silent-server.js"
import { chartOf, httpTool, llm, parallel, sequence } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "cancelling-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A workflow that finishes one agent and then has two model calls and a tool call in flight. */
async function inFlight() {
  const server = await silentServer(({ url }) => {
    if (url === "/first") return { content: "done" }
    return url === "/asker"
      ? { content: null, toolCalls: [{ id: "c1", function_name: "slow", function_args: {} }] }
      : null
  })
  const to = (id: string) => ({ httpConfig: { url: `${server.url}/${id}`, method: "POST" } })
  const agents = [
    sequence("line", ["first", "fan"]),
    parallel("fan", ["one", "two", "asker"]),
    llm("first", to("first")),
    llm("one", to("one")),
    llm("two", to("two")),
    llm("asker", { tools: ["slow"], ...to("asker") }),
  ]
  return { server, chart: chartOf(agents, { globalTools: [httpTool("slow", to("slow"))] }) }
}

describe.each([
  ["memory", () => memoryJournal()],
  ["JSONL", () => jsonlJournal(join(folder, "runs"))],
  ["SQLite", () => sqliteJournal(join(folder, "runs.sqlite"))],
] as const)("a run in a %s journal with model calls and tool calls in flight", (_, openJournal) => {
  // The server never answers: its sockets close only if the run closes them.
  test.each(["cancel", "end"] as const)(
    "run.%s closes the sockets of the calls and keeps the finished results",
    async (way) => {
      const { server, chart } = await inFlight()
      const http = createHttpServices()
      const journal = openJournal()
      const run = createRunner({ http, journal }).start(chart, { runId: way })
      await server.arrived(3)
      run[way]()
      await server.closed()
      const status = way === "cancel" ? "cancelled" : "completed"
      expect(await run.result).toMatchObject({ status, state: { first_text: "done" } })
      await http.close()
      // Resuming the run repeats none of its calls.
      const again = await createRunner({ http: createHttpServices(), journal }).resume(way)
      expect((await again.result).status).toBe(status)
      expect(server.unanswered()).toBe(3)
    },
  )

  test("closing the runner closes the sockets of the calls, and the run can be resumed", async () => {
    const { server, chart } = await inFlight()
    const http = createHttpServices()
    const journal = openJournal()
    const runner = createRunner({ http, journal })
    runner.start(chart, { runId: "left" })
    await server.arrived(3)
    await runner.close()
    await server.closed()
    const second = createRunner({ http, journal })
    await second.resume("left")
    await server.arrived(6)
    await second.close()
    await http.close()
  })
})

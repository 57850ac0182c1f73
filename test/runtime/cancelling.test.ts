import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner.js"
import { quickest } from "../support/quickest.js"
import { silentServer } from "../support/silent-server.js"
import { chartOf, httpTool, llm, parallel, sequence } from "../support/workflow.js"

const folder = mkdtempSync(join(tmpdir(), "cancelling-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Two branches whose models say nothing, and one whose tool does; what came before them has finished. */
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
] as const)("a run kept in %s, with calls of models and tools in flight", (_, openJournal) => {
  test.each(["cancel", "end"] as const)(
    "closes their sockets within 100 ms of %s, as the server sees it, and keeps what had finished",
    async (way) => {
      const took = await quickest(100, async (nth) => {
        const { server, chart } = await inFlight()
        const http = createHttpServices()
        const journal = openJournal()
        const runId = `${way}-${nth}`
        const run = createRunner({ http, journal }).start(chart, { runId })
        await server.arrived(3)
        const from = performance.now()
        run[way]()
        const closed = await server.closed()
        expect(await run.result).toMatchObject({
          status: way === "cancel" ? "cancelled" : "completed",
          state: { first_text: "done" },
        })
        await http.close()
        // Nothing is made again by whoever takes it up.
        const again = await createRunner({ http: createHttpServices(), journal }).resume(runId)
        expect((await again.result).status).toBe(way === "cancel" ? "cancelled" : "completed")
        return closed - from
      })
      expect(took).toBeLessThan(100)
    },
  )

  test("closes them when its runner does, and can be taken up", async () => {
    const took = await quickest(100, async (nth) => {
      const { server, chart } = await inFlight()
      const http = createHttpServices()
      const journal = openJournal()
      const runner = createRunner({ http, journal })
      runner.start(chart, { runId: `left-${nth}` })
      await server.arrived(3)
      const from = performance.now()
      await runner.close()
      const closed = await server.closed()
      const second = createRunner({ http, journal })
      await second.resume(`left-${nth}`)
      await server.arrived(6)
      await second.close()
      await http.close()
      return closed - from
    })
    expect(took).toBeLessThan(100)
  })
})

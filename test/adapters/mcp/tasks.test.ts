import { inputRequired } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, test } from "vitest"
import type { McpToolsetOptions } from "../../../src/adapters/tool/mcp/index.js"
import { mcpToolset } from "../../../src/adapters/tool/mcp/index.js"
import { memoryJournal } from "../../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../../src/runtime/journal/journal.js"
import { createRunner } from "../../../src/runtime/runner/runner.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../../support/in-both-interpreters.js"
import type { TaskServer, TaskState } from "./task-server.js"
import { taskServer } from "./task-server.js"

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const chart = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "Go.",
  agents: [
    { type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["bakery"] },
  ],
  globalTools: [{ type: "Toolset", id: "bakery" }],
})

const model = () => scriptedModel({ clerk: [calls("bake", { bread: 2 }), { content: "done" }] })

const working: TaskState = { status: "working", ttlMs: null }
const baked: Partial<TaskState> = {
  status: "completed",
  result: { content: [], structuredContent: { bread: "warm" } },
}

type Options = Parameters<typeof taskServer>[0]

const started = async (options: Partial<Options> = {}): Promise<TaskServer> => {
  const server = await taskServer({ create: () => ({ ...working }), ...options })
  closing.push(() => server.close())
  return server
}

const toolsetOf = ({ url }: TaskServer, options: McpToolsetOptions = {}) => {
  const bakery = mcpToolset({ url }, { timeoutMs: 60_000, listTimeoutMs: 60_000, ...options })
  closing.push(() => bakery.close())
  return bakery
}

const change = ({ tasks }: TaskServer, id: string, changes: Partial<TaskState>): void => {
  const task = tasks.get(id)
  if (task === undefined) throw new Error(`the task ${id} does not exist`)
  Object.assign(task, changes)
}

const polled = (server: TaskServer, times: number): Promise<void> =>
  expect
    .poll(() => server.requests.filter((one) => one === "tasks/get t1").length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(times)

const form = inputRequired.elicit({
  message: "How dark?",
  requestedSchema: {
    type: "object",
    properties: { minutes: { type: "integer", minimum: 1 } },
    required: ["minutes"],
  },
})

describe("a tool call that an MCP server executes as a task", { timeout: 120_000 }, () => {
  test.each(interpreters)("is polled until it ends (%s)", async (interpreter) => {
    const server = await started()
    const { asked, models } = model()
    const services = { bakery: toolsetOf(server) }
    const playing = play(interpreter, chart, { models, services })
    await polled(server, 2)
    change(server, "t1", baked)
    expect((await playing).rested).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual({ bread: "warm" })
    expect(server.calls).toEqual([
      {
        args: { bread: 2 },
        capabilities: {
          elicitation: { form: {}, url: {} },
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
      },
    ])
  })

  test("is polled by the next process without another call of the tool", async () => {
    const server = await started()
    const { asked, models } = model()
    let stored: Record<string, StoredRun> = {}
    const begin = () => {
      const journal = memoryJournal(stored)
      const runner = createRunner({ models, services: { bakery: toolsetOf(server) }, journal })
      return { journal, runner }
    }
    const first = begin()
    const events: unknown[] = []
    const run = first.runner.start(chart, { runId: "r" })
    run.events$.subscribe((event) => void events.push(event))
    await polled(server, 2)
    change(server, "t1", { statusMessage: "The oven is hot." })
    await expect
      .poll(() => JSON.stringify(events), { timeout: 60_000 })
      .toContain("The oven is hot.")
    await first.runner.close()
    expect(server.requests.filter((one) => one.startsWith("tasks/cancel"))).toEqual([])
    stored = JSON.parse(JSON.stringify(first.journal.toJSON())) as Record<string, StoredRun>

    const asks = server.requests.length
    const next = await begin().runner.resume("r")
    await polled(server, asks + 1)
    change(server, "t1", baked)
    expect(await next.result).toMatchObject({ status: "completed", text: "done" })
    expect(toldByTools(asked)).toEqual({ bread: "warm" })
    expect(server.calls).toHaveLength(1)
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "host.emitted",
        name: "mcp.task",
        data: {
          server: server.url,
          tool: "bake",
          taskId: "t1",
          status: "working",
          message: "The oven is hot.",
        },
      }),
    )
  })

  test("opens a request when it needs input, and sends each answer once", async () => {
    const updates: unknown[] = []
    const server = await started({
      create: () => ({ status: "input_required", ttlMs: null }),
      updated: (task, responses) => {
        updates.push(responses)
        // The server reports the request again until it has read the answer.
        if (updates.length === 1) setImmediate(() => Object.assign(task, baked))
      },
    })
    const { asked, models } = model()
    let stored: Record<string, StoredRun> = {}
    const begin = () => {
      const journal = memoryJournal(stored)
      const runner = createRunner({ models, services: { bakery: toolsetOf(server) }, journal })
      return { journal, runner }
    }
    const first = begin()
    const run = first.runner.start(chart, { runId: "r" })
    await expect.poll(() => server.tasks.size, { timeout: 60_000 }).toBe(1)
    change(server, "t1", { inputRequests: { dark: form } })
    expect((await run.whenSettled()).status).toBe("waiting")
    expect(run.pending()).toMatchObject([
      { kind: "human", prompt: "How dark?", details: { server: server.url, tool: "bake" } },
    ])
    await first.runner.close()
    stored = JSON.parse(JSON.stringify(first.journal.toJSON())) as Record<string, StoredRun>

    const next = await begin().runner.resume("r")
    next.answer(next.pending()[0]?.id ?? "", { minutes: 40 })
    expect(await next.result).toMatchObject({ status: "completed", text: "done" })
    expect(updates).toEqual([{ dark: { action: "accept", content: { minutes: 40 } } }])
    expect(toldByTools(asked)).toEqual({ bread: "warm" })
    expect(server.calls).toHaveLength(1)
    expect(server.requests.filter((one) => one.startsWith("tasks/cancel"))).toEqual([])
  })

  test.each(["while it is polled", "while it waits for a person"])(
    "is cancelled with its run, %s",
    async (when) => {
      const waits = when.endsWith("person")
      const server = await started(
        waits ? { create: () => ({ status: "input_required", ttlMs: null }) } : {},
      )
      const { models } = model()
      const bakery = toolsetOf(server)
      const run = createRunner({ models, services: { bakery } }).start(chart)
      if (waits) {
        await expect.poll(() => server.tasks.size, { timeout: 60_000 }).toBe(1)
        change(server, "t1", { inputRequests: { dark: form } })
        await run.whenSettled()
      } else await polled(server, 1)
      run.cancel()
      expect((await run.result).status).toBe("cancelled")
      await bakery.close()
      expect(server.tasks.get("t1")?.status).toBe("cancelled")
    },
  )

  test.each<[string, TaskState, RegExp]>([
    [
      "fails",
      { status: "failed", ttlMs: null, error: { code: -32603, message: "The oven is broken." } },
      /status "failed": The oven is broken\./,
    ],
    [
      "is cancelled by the server",
      { status: "cancelled", statusMessage: "We are closed.", ttlMs: null },
      /status "cancelled": We are closed\./,
    ],
    [
      "has an error as its result",
      {
        status: "completed",
        ttlMs: null,
        result: { content: [{ type: "text", text: "Burnt." }], isError: true },
      },
      /Burnt\./,
    ],
    ["has no result", { status: "completed", ttlMs: null }, /without a result/],
    ["exceeds its time to live", { status: "working", ttlMs: 1 }, /time to live of 1 ms/],
  ])("is an error of the tool if it %s", async (_what, state, message) => {
    const server = await started({ create: () => ({ ...state, status: "working" }) })
    const { asked, models } = model()
    const services = { bakery: toolsetOf(server) }
    const run = createRunner({ models, services }).start(chart)
    await expect.poll(() => server.tasks.size, { timeout: 60_000 }).toBe(1)
    change(server, "t1", state)
    expect((await run.result).status).toBe("completed")
    expect(toldByTools(asked)).toEqual({ error: expect.stringMatching(message) })
  })

  test("is an error of the tool if the server has lost it", async () => {
    const server = await started()
    const { asked, models } = model()
    const services = { bakery: toolsetOf(server) }
    const run = createRunner({ models, services }).start(chart)
    await expect.poll(() => server.tasks.size, { timeout: 60_000 }).toBe(1)
    server.tasks.clear()
    await run.result
    expect(toldByTools(asked)).toEqual({ error: expect.stringMatching(/t1 does not exist/) })
  })

  test("has a form that expires with the task", async () => {
    const server = await started({
      create: () => ({ status: "input_required", ttlMs: 600_000 }),
    })
    const { models } = model()
    const services = { bakery: toolsetOf(server, { formExpiresInMs: 86_400_000 }) }
    const runner = createRunner({ models, services })
    const run = runner.start(chart)
    await expect.poll(() => server.tasks.size, { timeout: 60_000 }).toBe(1)
    const now = Date.now()
    change(server, "t1", { inputRequests: { dark: form } })
    await run.whenSettled()
    // The form expires with the task, not after the day of the option.
    expect(run.pending()[0]?.expiresAt).toBeLessThan(now + 86_000_000)
    await runner.close()
  })
})

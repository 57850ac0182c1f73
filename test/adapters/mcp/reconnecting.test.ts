import { beforeAll, describe, expect, test } from "vitest"
import type { HostContext } from "../../../src/runtime/host/host-function.js"
import { calls, chartOf, interpreters, play } from "../../support/in-both-interpreters.js"
import type { Way } from "./mortal-service.js"
import { bundleMortalServer, isAlive, mortalService } from "./mortal-service.js"

// The returned function runs after all tests.
beforeAll(bundleMortalServer)

const chart = chartOf({
  rootAgentId: "clerk",
  initialUserInput: "Go.",
  agents: [{ type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["desk"] }],
  globalTools: [{ type: "Toolset", id: "desk" }],
})

/** Returns a model that takes these steps in order, and the tool results that it has received. */
function model(...steps: readonly (() => object | Promise<object>)[]) {
  const told: unknown[] = []
  let next = 0
  const call = async ({
    messages,
  }: {
    readonly messages: readonly unknown[]
  }): Promise<unknown> => {
    const last = messages.at(-1) as {
      readonly role: string
      readonly content: readonly { readonly function_response: { readonly response: unknown } }[]
    }
    if (last.role === "tool") told.push(last.content[0]?.function_response.response)
    return steps[next++]?.() ?? { content: "done" }
  }
  return { told, models: { any: { call } } }
}

// An MCP toolset uses nothing else of the context.
const context = { signal: new AbortController().signal, idempotencyKey: "r/1" } as HostContext

const done = { status: "completed", text: "done" }
const ways: readonly Way[] = ["stdio", "http", "sessions"]
/** Both interpreters use the same toolset, so one transport is enough for the second interpreter. */
const interpretersOf = (way: Way) => (way === "http" ? interpreters : (["run"] as const))
const both = ways.flatMap((way) =>
  interpretersOf(way).map((interpreter) => [way, interpreter] as const),
)

describe.each(both)(
  "an MCP server over %s that is killed during a run (%s)",
  (way, interpreter) => {
    test("the next call uses the restarted server if no call was in flight", async () => {
      const { toolset, kill, restart } = await mortalService(way)
      const { told, models } = model(
        () => calls("quick"),
        async () => {
          await kill()
          restart()
          return calls("quick", {}, "2")
        },
      )
      const { rested } = await play(interpreter, chart, { models, services: { desk: toolset } })
      expect(rested).toMatchObject(done)
      expect(told).toEqual([
        { result: expect.stringMatching(/^by \d+$/) },
        { result: expect.stringMatching(/^by \d+$/) },
      ])
      expect(told[0]).not.toEqual(told[1])
    })

    test("the model receives an error about a lost call, and can call the tool again", async () => {
      const { toolset, says, kill, restart, log } = await mortalService(way)
      const { told, models } = model(
        () => calls("order"),
        () => calls("order", {}, "2"),
      )
      const killed = says(/called (\d+)/)
        .then(kill)
        .then(restart)
      const { rested } = await play(interpreter, chart, { models, services: { desk: toolset } })
      await killed
      expect(rested).toMatchObject(done)
      expect(told).toEqual([
        {
          error: expect.stringMatching(
            /connection to the MCP server .* was lost when "order" was called.*It is unknown/,
          ),
        },
        { result: expect.stringMatching(/^by \d+$/) },
      ])
      expect(log().match(/called/g)).toHaveLength(2)
    })

    test("a lost call of a read-only tool is repeated with the same idempotency key", async () => {
      const { toolset, says, kill, restart, log } = await mortalService(way)
      const { told, models } = model(() => calls("read"))
      const killed = says(/called (\d+)/)
        .then(kill)
        .then(restart)
      const { rested } = await play(interpreter, chart, { models, services: { desk: toolset } })
      await killed
      expect(rested).toMatchObject(done)
      expect(told).toEqual([{ result: expect.stringMatching(/^by \d+$/) }])
      const [first, second, ...others] = [...log().matchAll(/called (\d+) (.+)/g)].map(
        ([, pid, key]) => ({ pid, key }),
      )
      expect(others).toEqual([])
      expect(second?.pid).not.toBe(first?.pid)
      expect(first?.key).toContain("clerk")
      expect(second?.key).toBe(first?.key)
    })
  },
)

describe.each(ways)("an MCP server over %s", (way) => {
  test.each(interpretersOf(way))(
    "a run fails after listTimeoutMs if the server never lists its tools (%s)",
    async (interpreter) => {
      const { toolset } = await mortalService(way, { listTimeoutMs: 300 }, "mute")
      const { models } = model()
      const { rested } = await play(interpreter, chart, { models, services: { desk: toolset } })
      expect(rested).toMatchObject({
        status: "failed",
        error: {
          code: "tool_list_timeout",
          agent: "clerk",
          message: expect.stringContaining("within 300 ms"),
        },
      })
    },
  )

  test("a call that takes longer than timeoutMs fails as retryable, and the next call works", async () => {
    const { toolset } = await mortalService(way, { timeoutMs: 1_000 })
    await toolset.list(context)
    await expect(toolset.call(context, "order", {})).rejects.toMatchObject({
      code: "service_timeout",
      failure: { retryable: true },
    })
    expect(await toolset.call(context, "quick", {})).toMatch(/^by/)
  })

  test("a call of a killed server fails with connection_lost and is retryable", async () => {
    const { toolset, says, kill } = await mortalService(way)
    const lost = expect(toolset.call(context, "order", {})).rejects.toMatchObject({
      code: "connection_lost",
      failure: { retryable: true },
    })
    await says(/called (\d+)/)
    await kill()
    await lost
  })

  test("closing the toolset ends its program or session, and the next call connects again", async () => {
    const { toolset, log } = await mortalService(way)
    await toolset.list(context)
    await toolset.close()
    const [pid] = [...log().matchAll(/started (\d+)/g)].map((match) => Number(match[1]))
    expect(isAlive(pid ?? 0)).toBe(way !== "stdio")
    expect(log().includes("session ended")).toBe(way === "sessions")
    expect(await toolset.call(context, "quick", {})).toMatch(/^by/)
  })
})

describe("an MCP server that is not restarted", () => {
  test.each(ways)(
    "calls and runs fail with service_unreachable after waitMs, over %s",
    async (way) => {
      const { toolset, kill } = await mortalService(way, { waitMs: 500 }, "once")
      await toolset.list(context)
      await kill()
      const gone = {
        code: "service_unreachable",
        message: expect.stringContaining("did not reconnect within 500 ms"),
      }
      await expect(toolset.call(context, "quick", {})).rejects.toMatchObject(gone)
      const { models } = model()
      const { rested } = await play("run", chart, { models, services: { desk: toolset } })
      expect(rested).toMatchObject({
        status: "failed",
        error: { code: "service_unreachable", agent: "clerk" },
      })
    },
  )
})

import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import type { Script } from "../support/scripted-services.js"
import { scriptedServices } from "../support/scripted-services.js"
import { agentTool, chartOf, httpTool, llm, parallel } from "../support/workflow.js"

const calls = (...names: readonly string[]) => ({
  toolCalls: names.map((name, index) => ({
    id: `${index}`,
    function_name: name,
    function_args: { request: "x" },
  })),
})

const chart = chartOf(
  [
    parallel("both", ["clerk", "payer"]),
    llm("clerk", { tools: ["find", "ask"] }),
    llm("payer", { tools: ["pay"] }),
    llm("helper", { tools: ["find"], outputKey: null }),
  ],
  { globalTools: [httpTool("find"), httpTool("pay"), agentTool("ask", "helper")] },
)

const done = { content: "Done." }

describe.each(interpreters)("the failed tool calls in a result (%s)", (interpreter) => {
  const play = async (played: AgentChart, models: Script, tools: Script) => {
    const begun = begin(interpreter, played, scriptedServices(models, tools), { runId: "r1" })
    return { ...begun, result: await begun.controls.whenSettled() }
  }

  test("failures of tools are listed with their agent and message if the run continues", async () => {
    const { result, events } = await play(
      chart,
      {
        clerk: [calls("find", "nothing"), done],
        payer: [calls("pay"), done],
        helper: [done],
      },
      { find: [{ status: 400 }], pay: [{ paid: true }] },
    )
    expect(result).toMatchObject({
      status: "completed",
      error: null,
      toolFailures: [
        { tool: "nothing", callId: "1", agent: "clerk", path: "both/clerk", branch: "both.0" },
        { tool: "find", callId: "0", agent: "clerk", message: expect.stringContaining("400") },
      ],
    })
    expect(
      events.flatMap((event) => (event.type === "tool.finished" ? [event.error ?? null] : [])),
    ).toEqual(expect.arrayContaining([null, expect.stringContaining("400") as string]))
  })

  test("include the calls of agents that run as tools", async () => {
    const { result } = await play(
      chart,
      {
        clerk: [calls("ask"), done],
        payer: [done],
        helper: [calls("find"), { status: 400 }],
      },
      { find: [{ status: 400 }] },
    )
    expect(result.toolFailures).toMatchObject([
      { tool: "find", agent: "helper" },
      { tool: "ask", agent: "clerk" },
    ])
  })

  test("are absent if no call failed, even if a person rejected a call", async () => {
    const asking = { ...calls("pay"), hitlRequest: { prompt: "Pay?" } }
    const { controls } = await play(
      chart,
      { clerk: [calls("find"), done], payer: [asking, done] },
      { find: [{ error: "the tool itself returned this" }], pay: [{ paid: true }] },
    )
    controls.reject(controls.pending()[0]?.id ?? "")
    expect(await controls.whenSettled()).not.toHaveProperty("toolFailures")
  })

  test("contain at most 100 calls", async () => {
    const many = calls(...Array.from({ length: 120 }, () => "find"))
    const { result } = await play(
      chart,
      { clerk: [many, done], payer: [done] },
      { find: [{ status: 400 }] },
    )
    expect(result.usage.toolCalls).toBe(120)
    expect(result.toolFailures).toHaveLength(100)
  })
})

test("a resumed run has the same failed tool calls", async () => {
  const journal = memoryJournal()
  const models = { clerk: [calls("find"), { content: "?", waitForUserInput: true }], payer: [done] }
  const services = scriptedServices(models, { find: [{ status: 400 }] })
  const runner = createRunner({ ...services, journal })
  const run = runner.start(chart, { runId: "r1" })
  const { toolFailures } = await run.whenSettled()
  expect(toolFailures).toMatchObject([{ tool: "find", agent: "clerk" }])
  await runner.close()
  const resumed = await createRunner({ ...services, journal }).resume("r1")
  expect((await resumed.whenSettled()).toolFailures).toEqual(toolFailures)
})

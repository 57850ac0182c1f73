import { describe, expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"
import { agentTool, chartOf, httpTool, human, llm, loop, sequence } from "../support/workflow.js"

const expectedOf = (chart: AgentChart, toolRounds = 1) =>
  analyzeChart(chart, { toolRounds }).bounds.expected

const team = compileOrThrow({
  agent_class: "LlmAgent",
  name: "desk",
  model: "m",
  instruction: "Route.",
  sub_agents: ["billing", "support"].map((name) => ({
    agent_class: "LlmAgent",
    name,
    model: "m",
    instruction: "Help.",
    tools: name === "support" ? [{ name: "find" }] : [],
  })),
})

describe("expected counts", () => {
  test("a loop is expected to run once, and a condition to be true", () => {
    const agents = [
      loop("rounds", [{ agentId: "a", when: "session_state.get('go', False)" }, "boss"], 9),
      llm("a", { tools: ["find"] }),
      human("boss"),
    ]
    const chart = chartOf(agents, { globalTools: [httpTool("find")] })
    expect(expectedOf(chart)).toEqual({
      modelCalls: 2,
      toolRounds: 1,
      humanWaits: 1,
      assumes: ["conditions_are_true", "loops_run_once"],
    })
    expect(expectedOf(chart, 3).modelCalls).toBe(4)
  })

  test("a root agent is expected to end the run in its first cycle", () =>
    expect(expectedOf(chartOf([llm("a")], { maxOrchestrationCycles: 25 }))).toMatchObject({
      modelCalls: 1,
      assumes: ["first_cycle_ends"],
    }))

  test("a team is expected to hand off once, to the member with the most calls", () =>
    expect(expectedOf(team)).toEqual({
      modelCalls: 3,
      toolRounds: 1,
      humanWaits: 0,
      assumes: ["one_handoff"],
    }))

  test("an AgentTool is expected to run once in each tool round", () => {
    const agents = [
      sequence("s", ["a"]),
      llm("a", { tools: ["ask"] }),
      loop("c", ["d"], 5),
      llm("d"),
    ]
    const chart = chartOf(agents, { globalTools: [agentTool("ask", "c")] })
    expect(expectedOf(chart)).toMatchObject({ modelCalls: 3, assumes: ["loops_run_once"] })
    expect(expectedOf(chart, 2).modelCalls).toBe(5)
  })

  test("a graph with a cycle is expected to run each node once", () => {
    const chart = compileOrThrow({
      agent_class: "Workflow",
      name: "graph",
      nodes: [
        { agent_class: "LlmAgent", name: "write", model: "m", instruction: "Write." },
        { agent_class: "RouterNode", name: "decide", service: "decide" },
        { agent_class: "LlmAgent", name: "publish", model: "m", instruction: "Publish." },
      ],
      edges: [
        { from: "START", to: "write" },
        { from: "write", to: "decide" },
        { from: "decide", to: "write", route: "again" },
        { from: "decide", to: "publish", route: "done" },
      ],
    })
    expect(expectedOf(chart)).toMatchObject({ modelCalls: 2, assumes: ["graph_nodes_run_once"] })
  })

  test("a structured output next to tools is expected to need no correction", () => {
    const agent = { agent_class: "LlmAgent", name: "a", model: "m", instruction: "Answer." }
    const output_schema = { type: "object", properties: { city: { type: "string" } } }
    const { bounds } = analyzeChart(
      compileOrThrow({
        ...agent,
        output_schema,
        structured_output_with_tools: true,
        tools: [{ name: "find" }],
      }),
    )
    expect(bounds.expected.modelCalls).toBe(2)
    expect(bounds.modelCalls.most).toBe(3)
  })

  test("the limit of model calls does not reduce the expected count", () => {
    const chart = chartOf([sequence("s", ["a", "b"]), llm("a"), llm("b")], { maxModelCalls: 1 })
    expect(analyzeChart(chart).bounds).toMatchObject({
      expected: { modelCalls: 2 },
      modelCalls: { most: 1 },
    })
  })

  test("a run that behaves as assumed makes exactly the expected calls", async () => {
    const agents = [
      sequence("s", ["plan", "rounds"]),
      llm("plan", { tools: ["find"] }),
      loop("rounds", ["write", "judge"], 4, {
        loopExitCondition: "session_state.get('verdict') == 'ok'",
      }),
      llm("write"),
      llm("judge", { outputKey: "verdict" }),
    ]
    const chart = chartOf(agents, { globalTools: [httpTool("find")] })
    const services = scriptedServices(
      {
        plan: [
          { content: "", toolCalls: [{ id: "1", function_name: "find", function_args: {} }] },
          { content: "The plan." },
        ],
        write: [{ content: "The text." }],
        judge: [{ content: "ok" }],
      },
      { find: [{ found: 1 }] },
    )
    const { status } = await createRunner(services).start(chart, { prompt: "Go" }).result
    expect(status).toBe("completed")
    expect(services.modelCalls).toHaveLength(expectedOf(chart).modelCalls ?? -1)
    expect(services.toolCalls).toHaveLength(expectedOf(chart).toolRounds ?? -1)
  })
})

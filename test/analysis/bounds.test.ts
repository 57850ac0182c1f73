import { existsSync, readFileSync, readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { AnalyzeOptions, ChartAnalysis } from "../../src/analysis/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import {
  agentTool,
  chartOf,
  httpTool,
  human,
  llm,
  loop,
  parallel,
  sequence,
} from "../support/workflow.js"

type Fields = Readonly<Record<string, unknown>>

const boundsOf = (
  agents: readonly Fields[],
  fields: Fields = {},
  options: AnalyzeOptions = {},
): ChartAnalysis["bounds"] => analyzeChart(chartOf(agents, fields), options).bounds

function adk(config: object): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

describe("model calls", () => {
  test("a sequence adds up, and so do all branches of a parallel block", () => {
    expect(
      boundsOf([sequence("s", ["a", "p"]), parallel("p", ["b", "c"]), llm("a"), llm("b"), llm("c")])
        .modelCalls,
    ).toMatchObject({ most: 3, limitedBy: [] })
  })

  test("loops multiply, and the path says how often each agent runs", () => {
    const { modelCalls } = boundsOf([
      loop("outer", ["inner", "b"], 3),
      loop("inner", ["a"], 4),
      llm("a"),
      llm("b"),
    ])
    expect(modelCalls.most).toBe(15)
    expect(modelCalls.path).toEqual([
      { agent: "a", path: "outer[*]/inner[*]/a", times: 12, each: 1 },
      { agent: "b", path: "outer[*]/b", times: 3, each: 1 },
    ])
  })

  test("an LlmAgent at the root is asked in every cycle", () => {
    expect(boundsOf([llm("a")], { maxOrchestrationCycles: 7 }).modelCalls).toMatchObject({
      most: 7,
      limitedBy: ["maxOrchestrationCycles"],
    })
  })

  test("a tool round is one call more, as many as are assumed", () => {
    const agents = [sequence("s", ["a", "b"]), llm("a", { tools: ["find"] }), llm("b")]
    const fields = { globalTools: [httpTool("find")] }
    expect(boundsOf(agents, fields)).toMatchObject({
      assumes: { toolRounds: 1 },
      modelCalls: { most: 3 },
      toolRounds: { most: 1 },
    })
    expect(boundsOf(agents, fields, { toolRounds: 5 })).toMatchObject({
      modelCalls: { most: 7 },
      toolRounds: { most: 5 },
    })
    expect(
      boundsOf(agents, { ...fields, maxModelCallsPerTurn: 3 }, { toolRounds: 5 }),
    ).toMatchObject({ modelCalls: { most: 4 }, toolRounds: { most: 3 } })
  })

  test("what AgentTools run counts in every round, through every level", () => {
    const agents = [
      sequence("s", ["a"]),
      llm("a", { tools: ["ask_b"] }),
      llm("b", { tools: ["ask_c"] }),
      loop("c", ["d"], 3),
      llm("d"),
    ]
    const fields = { globalTools: [agentTool("ask_b", "b"), agentTool("ask_c", "c")] }
    expect(boundsOf(agents, fields).modelCalls.most).toBe(2 + 2 + 3)
    expect(boundsOf(agents, fields, { toolRounds: 2 }).modelCalls.most).toBe(3 + 2 * (3 + 2 * 3))
  })

  test("a tool that ends the turn with its target's text spares the last call", () => {
    const agents = [sequence("s", ["a"]), llm("a", { tools: ["ask_b"] }), llm("b")]
    expect(
      boundsOf(agents, { globalTools: [agentTool("ask_b", "b", { skipSummarization: true })] })
        .modelCalls.most,
    ).toBe(2)
  })

  test("a team takes the way that costs most", () => {
    const team = llm("desk", {
      subAgents: [
        llm("quick"),
        llm("slow", { tools: ["find"] }),
        sequence("report", ["x", "y", "z"]),
      ],
    })
    const agents = [sequence("s", ["desk"]), team, llm("x"), llm("y"), llm("z")]
    const fields = { globalTools: [httpTool("find")], maxHandoffs: 3 }
    // desk, slow, desk, report; or desk, slow, quick, slow.
    expect(boundsOf(agents, fields).modelCalls).toMatchObject({
      most: 1 + 2 + 1 + 3,
      limitedBy: ["maxHandoffs"],
    })
    expect(boundsOf(agents, { ...fields, maxHandoffs: 1 }).modelCalls).toMatchObject({
      most: 1 + 3,
    })
  })

  test("a team at the root continues the next cycle with the member that has the conversation", () => {
    const agents = [llm("desk", { subAgents: [llm("slow", { tools: ["find"] })] })]
    // desk, slow in the first cycle, slow, desk in the others: two handoffs never fit.
    expect(
      boundsOf(agents, {
        globalTools: [httpTool("find")],
        maxHandoffs: 1,
        maxOrchestrationCycles: 3,
      }).modelCalls,
    ).toMatchObject({ most: 9, limitedBy: ["maxHandoffs", "maxOrchestrationCycles"] })
  })

  test("a member that ends the team's turn is a way on, not a way back", () => {
    const once = chartOf([
      sequence("s", ["desk"]),
      llm("desk", { subAgents: [sequence("report", ["x"])] }),
      llm("x"),
    ])
    expect(analyzeChart(once)).toMatchObject({ rings: [], bounds: { modelCalls: { most: 2 } } })
  })

  test("a node of a graph runs once, in a cycle as often as maxIterations", () => {
    const model = { type: "LlmAgent", model: "m", instruction: "i" }
    const graph = (edges: readonly unknown[]) =>
      adk({
        rootAgentId: "g",
        agents: [
          { type: "Workflow", name: "g", edges, maxIterations: 4 },
          { ...model, name: "a" },
          { ...model, name: "b" },
          { type: "RouterNode", name: "r", service: "choose" },
          { ...model, name: "c" },
        ],
      })
    expect(
      analyzeChart(
        graph([
          ["START", "a", "b"],
          ["START", "c"],
          ["b", "r"],
        ]),
      ).bounds.modelCalls.most,
    ).toBe(3)
    const cyclic = analyzeChart(
      graph([
        ["START", "a", "r", { again: "b", default: "c" }],
        ["b", "r"],
      ]),
    )
    expect(cyclic.bounds.modelCalls).toMatchObject({
      most: 1 + 4 + 4,
      limitedBy: ["maxIterations"],
    })
    expect(cyclic.rings).toMatchObject([{ kind: "graph", most: 4, boundedBy: "maxIterations" }])
  })

  test("where the chart bounds nothing, the settings do", () => {
    const chart = adk({
      agent_class: "LoopAgent",
      name: "l",
      sub_agents: [{ agent_class: "LlmAgent", name: "a", model: "m", tools: ["exit_loop"] }],
    })
    const { bounds, rings } = analyzeChart(chart)
    expect(bounds.modelCalls).toMatchObject({
      most: 500,
      limitedBy: ["maxModelCalls"],
      path: [{ agent: "a", times: null, each: 1 }],
    })
    expect(rings).toMatchObject([{ kind: "loop", most: null, boundedBy: "maxModelCalls" }])
    expect(JSON.parse(JSON.stringify(bounds))).toEqual(bounds)
  })

  test("a budget of calls stops a run as maxModelCalls does, unless a person may let it go on", () => {
    const agents = [loop("l", ["a"], 30), llm("a")]
    expect(boundsOf(agents, { budget: { maxModelCalls: 8 } }).modelCalls).toMatchObject({
      most: 8,
      ofChart: 30,
      limitedBy: ["budget"],
    })
    expect(
      boundsOf(agents, { budget: { maxModelCalls: 8, onExceeded: "ask" } }).modelCalls.most,
    ).toBe(30)
  })

  test("an agent behind a condition that is never true is not counted", () => {
    expect(
      boundsOf([sequence("s", ["a", { agentId: "b", when: "False" }]), llm("a"), llm("b")])
        .modelCalls.most,
    ).toBe(1)
  })

  test("wide blocks, and blocks inside of blocks that are machines of their own, are counted like others", () => {
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`)
    const agents = [
      parallel("p", [...names, "inner"]),
      parallel("inner", ["deep"]),
      loop("deep", ["x"], 5),
      llm("x"),
      ...names.map((name) => llm(name)),
    ]
    expect(boundsOf(agents).modelCalls.most).toBe(25)
  })
})

describe("people and costs", () => {
  test("HumanAgents and confirmations are human waits", () => {
    const chart = adk({
      rootAgentId: "s",
      agents: [sequence("s", ["a", "h"]), llm("a", { tools: ["pay"] }), human("h")],
      globalTools: [httpTool("pay", { requireConfirmation: true })],
    })
    expect(analyzeChart(chart).bounds.humanWaits).toMatchObject({
      most: 2,
      path: [
        { agent: "a", times: 1, each: 1 },
        { agent: "h", times: 1, each: 1 },
      ],
    })
  })

  test("a loop of nothing but people counts no calls", () => {
    expect(boundsOf([loop("l", ["h"], 3), human("h")])).toMatchObject({
      modelCalls: { most: 0, path: [] },
      humanWaits: { most: 3 },
      ceiling: 0,
    })
  })

  const priced = {
    small: { perCall: 1 },
    large: { input: 2, output: 10, maxInputTokens: 1_000_000, maxOutputTokens: 500_000 },
  }

  test("the cost takes the dearest way, which need not be that of most calls", () => {
    const team = llm("desk", {
      model: "small",
      subAgents: [
        sequence("many", ["x", "y", "z"]),
        llm("one", { model: "large", disallowTransferToParent: true }),
      ],
    })
    const agents = [
      sequence("s", ["desk"]),
      team,
      llm("x", { model: "small" }),
      llm("y", { model: "small" }),
      llm("z", { model: "small" }),
    ].map((agent) => withoutEndpoint(agent))
    const { bounds } = analyzeChart(chartOf(agents, { maxHandoffs: 1 }), { prices: priced })
    expect(bounds.modelCalls.most).toBe(4)
    expect(bounds.cost?.most).toBe(1 + 2 + 5)
  })

  test("retries are paid, a limit of the agent's answers counts, and a missing price leaves no bound", () => {
    const agent = { agent_class: "LlmAgent", name: "a", model: "large" }
    const costOf = (fields: object, prices: AnalyzeOptions["prices"] = priced) =>
      analyzeChart(adk({ ...agent, ...fields }), { prices: prices ?? {} }).bounds.cost?.most
    expect(costOf({})).toBe(7)
    expect(costOf({ activityConfig: { retryPolicy: { maximumAttempts: 3 } } })).toBe(21)
    expect(costOf({ generateContentConfig: { maxOutputTokens: 100_000 } })).toBe(3)
    expect(costOf({}, { small: { perCall: 1 } })).toBe(null)
    expect(costOf({}, { "*": { perCall: 4 } })).toBe(4)
  })
})

/** An agent that calls its model by name. */
function withoutEndpoint({ httpConfig: _left, ...agent }: Fields): Fields {
  return "subAgents" in agent && agent["type"] === "LlmAgent"
    ? { ...agent, subAgents: (agent["subAgents"] as readonly Fields[]).map(withoutEndpoint) }
    : agent
}

describe("who writes and reads which key", () => {
  test("agents, tools and containers by name, and whether the chart begins with it", () => {
    const agents = [
      sequence("s", ["a", { agentId: "b", when: "session_state['seed'] > 1" }], {
        outputKey: "end",
      }),
      llm("a", { tools: ["find"] }),
      llm("b", { outputKey: "end" }),
    ]
    expect(
      analyzeChart(
        chartOf(agents, {
          globalTools: [httpTool("find", { outputKey: "hits" })],
          state: { seed: 2 },
        }),
      ).state,
    ).toEqual({
      hostCode: false,
      keys: [
        { key: "seed", writers: [], readers: ["b"], initial: true },
        { key: "hits", writers: ["find"], readers: [], initial: false },
        { key: "a_text", writers: ["a"], readers: [], initial: false },
        { key: "end", writers: ["b", "s"], readers: [], initial: false },
      ],
    })
  })

  test("templates of endpoints name what they read", () => {
    const endpoint = { httpConfig: { url: "http://agents.test/{{ state.city }}", method: "POST" } }
    const chart = chartOf([
      sequence("s", ["a", "b"]),
      llm("a", endpoint),
      llm("b", { outputKey: "city" }),
    ])
    expect(analyzeChart(chart).findings).toMatchObject([
      { code: "read_before_write", agent: "a", key: "city" },
    ])
  })
})

test("every example has its bounds", () => {
  const examples = readdirSync("examples").filter((name) =>
    existsSync(`examples/${name}/chart.json`),
  )
  expect(examples.length).toBeGreaterThan(20)
  for (const name of examples) {
    const { modelCalls, toolRounds, ceiling } = analyzeChart(
      JSON.parse(readFileSync(`examples/${name}/chart.json`, "utf8")) as AgentChart,
    ).bounds
    expect(modelCalls.most, name).toBeGreaterThan(0)
    expect(modelCalls.most, name).toBeLessThanOrEqual(ceiling)
    expect(toolRounds.most, name).toBeLessThan(modelCalls.most ?? 0)
  }
})

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
  test("the calls in a sequence and in all branches of a parallel block are added up", () => {
    expect(
      boundsOf([sequence("s", ["a", "p"]), parallel("p", ["b", "c"]), llm("a"), llm("b"), llm("c")])
        .modelCalls,
    ).toMatchObject({ most: 3, limitedBy: [] })
  })

  test("loops multiply the calls, and the path contains the number of runs of each agent", () => {
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

  test("an LlmAgent at the root is called in every cycle", () => {
    expect(boundsOf([llm("a")], { maxOrchestrationCycles: 7 }).modelCalls).toMatchObject({
      most: 7,
      limitedBy: ["maxOrchestrationCycles"],
    })
  })

  test("each assumed tool round adds one model call", () => {
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

  test("the calls of agent tools count in every round and at every level", () => {
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

  test("an agent tool that ends the turn saves the last model call", () => {
    const agents = [sequence("s", ["a"]), llm("a", { tools: ["ask_b"] }), llm("b")]
    expect(
      boundsOf(agents, { globalTools: [agentTool("ask_b", "b", { skipSummarization: true })] })
        .modelCalls.most,
    ).toBe(2)
  })

  test("the bound of a team is that of the handoffs with the most calls", () => {
    const team = llm("desk", {
      subAgents: [
        llm("quick"),
        llm("slow", { tools: ["find"] }),
        sequence("report", ["x", "y", "z"]),
      ],
    })
    const agents = [sequence("s", ["desk"]), team, llm("x"), llm("y"), llm("z")]
    const fields = { globalTools: [httpTool("find")], maxHandoffs: 3 }
    // The most expensive paths are desk, slow, desk, report, and desk, slow, quick, slow.
    expect(boundsOf(agents, fields).modelCalls).toMatchObject({
      most: 1 + 2 + 1 + 3,
      limitedBy: ["maxHandoffs"],
    })
    expect(boundsOf(agents, { ...fields, maxHandoffs: 1 }).modelCalls).toMatchObject({
      most: 1 + 3,
    })
  })

  test("a team at the root starts the next cycle with its active member", () => {
    const agents = [llm("desk", { subAgents: [llm("slow", { tools: ["find"] })] })]
    // The first cycle runs desk and slow, and the others run slow and desk. Two handoffs never fit in a cycle.
    expect(
      boundsOf(agents, {
        globalTools: [httpTool("find")],
        maxHandoffs: 1,
        maxOrchestrationCycles: 3,
      }).modelCalls,
    ).toMatchObject({ most: 9, limitedBy: ["maxHandoffs", "maxOrchestrationCycles"] })
  })

  test("a handoff to a member that ends the turn of the team is not a cycle", () => {
    const once = chartOf([
      sequence("s", ["desk"]),
      llm("desk", { subAgents: [sequence("report", ["x"])] }),
      llm("x"),
    ])
    expect(analyzeChart(once)).toMatchObject({ cycles: [], bounds: { modelCalls: { most: 2 } } })
  })

  test("a node of a graph runs once, and in a cycle maxIterations times", () => {
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
    expect(cyclic.cycles).toMatchObject([{ kind: "graph", most: 4, boundedBy: "maxIterations" }])
  })

  test("a loop without a maximum is bounded by maxModelCalls", () => {
    const chart = adk({
      agent_class: "LoopAgent",
      name: "l",
      sub_agents: [{ agent_class: "LlmAgent", name: "a", model: "m", tools: ["exit_loop"] }],
    })
    const { bounds, cycles } = analyzeChart(chart)
    expect(bounds.modelCalls).toMatchObject({
      most: 500,
      limitedBy: ["maxModelCalls"],
      path: [{ agent: "a", times: null, each: 1 }],
    })
    expect(cycles).toMatchObject([{ kind: "loop", most: null, boundedBy: "maxModelCalls" }])
    expect(JSON.parse(JSON.stringify(bounds))).toEqual(bounds)
  })

  test("a budget of model calls bounds a run like maxModelCalls, unless the budget asks a person", () => {
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

  test("wide parallel blocks and nested parallel blocks are counted like other blocks", () => {
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

describe("human waits and costs", () => {
  test("HumanAgents and confirmations count as human waits", () => {
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

  test("a loop that contains only a HumanAgent has no model calls", () => {
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

  test("the cost is that of the most expensive path, which may not be the path with the most calls", () => {
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

  test("the cost includes retries and maxOutputTokens, and has no bound if a price is missing", () => {
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

/** Returns the agent without its endpoint, so that it calls its model by name. */
function withoutEndpoint({ httpConfig: _left, ...agent }: Fields): Fields {
  return "subAgents" in agent && agent["type"] === "LlmAgent"
    ? { ...agent, subAgents: (agent["subAgents"] as readonly Fields[]).map(withoutEndpoint) }
    : agent
}

describe("the writers and readers of state keys", () => {
  test("each key lists its writers and readers, and whether it is in the initial state", () => {
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

  test("the templates of endpoints count as readers of their keys", () => {
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

test("every example has a bound for its model calls", () => {
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

import { expect, test } from "vitest"
import { analyzeChart, worstCase } from "../../src/analysis/index.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { agentTool, chartOf, httpTool, human, llm, loop, sequence } from "../support/workflow.js"

function adk(config: object): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const calls = (...names: readonly string[]) => ({
  content: null,
  toolCalls: names.map((name) => expect.objectContaining({ function_name: name })),
})

test("the script has one response for each model call and calls all tools in each round", () => {
  const chart = chartOf([loop("l", ["a"], 2), llm("a", { tools: ["find", "ask_b"] }), llm("b")], {
    globalTools: [httpTool("find"), agentTool("ask_b", "b")],
  })
  const text = { content: expect.any(String) }
  expect(worstCase(chart)).toEqual({
    llm: { a: [calls("find", "ask_b"), text, calls("find", "ask_b"), text], b: [text, text] },
    tools: { find: [{ done: true }, { done: true }] },
    state: {},
    answers: [],
    activeAgent: null,
  })
  expect(worstCase(chart, { toolRounds: 0 }).llm).toEqual({ a: [text, text] })
})

test("the script has texts and a state that make conditions true and loops continue", () => {
  const chart = chartOf([
    loop(
      "l",
      [
        "writer",
        "boss",
        {
          agentId: "editor",
          when: "session_state['verdict'] == 'revise' and session_state.get('level', 0) > 3",
        },
      ],
      2,
      { loopExitCondition: "'fine' in session_state.get('editor_text', 'fine')" },
    ),
    llm("writer", { outputKey: "verdict" }),
    human("boss"),
    llm("editor"),
  ])
  const { llm: script, state, answers } = worstCase(chart)
  expect(script["writer"]).toEqual([{ content: "revise" }, { content: "revise" }])
  expect(state).toMatchObject({ verdict: "revise", level: 4 })
  expect(script["editor"]?.[0]?.["content"]).not.toContain("fine")
  expect(answers).toHaveLength(2)
})

test("the last agent of a container returns the value that conditions need in the container's key", () => {
  const chart = chartOf([
    sequence("s", ["inner", { agentId: "c", when: "session_state['kept'] == 'yes'" }]),
    sequence("inner", ["a", "b"], { outputKey: "kept" }),
    llm("a"),
    llm("b"),
    llm("c"),
  ])
  expect(worstCase(chart).llm).toMatchObject({ b: [{ content: "yes" }], c: [{}] })
})

test("arguments and final texts match their schemas", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string", enum: ["Rome"] },
      days: { type: "integer", minimum: 2 },
      notes: { type: "array" },
    },
    required: ["city", "days"],
  }
  const chart = adk({
    rootAgentId: "s",
    agents: [
      sequence("s", ["a", "b"]),
      llm("a", { tools: ["find"] }),
      { ...llm("b"), outputSchema: schema },
    ],
    globalTools: [httpTool("find", { parameters: schema })],
  })
  const { llm: script } = worstCase(chart)
  expect(script["a"]?.[0]).toEqual({
    content: null,
    toolCalls: [{ function_name: "find", function_args: { city: "Rome", days: 2 } }],
  })
  expect(script["b"]).toEqual([{ content: '{"city":"Rome","days":2}' }])
})

test("the members of a team hand off along the most expensive path", () => {
  const chart = chartOf([sequence("s", ["desk"]), llm("desk", { subAgents: [llm("one")] })], {
    maxHandoffs: 2,
  })
  const to = (name: string) => ({
    content: null,
    toolCalls: [{ function_name: "transfer_to_agent", function_args: { agent_name: name } }],
  })
  expect(worstCase(chart).llm).toEqual({
    desk: [to("one"), { content: expect.any(String) }],
    one: [to("desk")],
  })
})

test("a later invocation of an adk session starts with the active member of the team", () => {
  const chart = adk({
    rootAgentId: "desk",
    agents: [{ ...llm("desk"), subAgents: [llm("one", { tools: ["find"] })] }],
    globalTools: [httpTool("find")],
    maxHandoffs: 2,
  })
  expect(worstCase(chart).activeAgent).toBe("one")
  expect(worstCase(chart, { firstInvocation: true }).activeAgent).toBe(null)
  expect(analyzeChart(chart).bounds.modelCalls.most).toBe(2 + 1 + 2)
})

test("the script of an unbounded loop has more responses than a run can use", () => {
  const chart = adk({
    agent_class: "LoopAgent",
    name: "l",
    sub_agents: [{ agent_class: "LlmAgent", name: "a", model: "m", tools: ["exit_loop"] }],
  })
  const answers = worstCase(chart).llm["a"] ?? []
  expect(answers.length).toBeGreaterThan(500)
  expect(answers.length).toBeLessThan(100_000)
})

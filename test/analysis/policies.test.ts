import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile, readPolicies } from "../../src/compiler/index.js"

/** Returns the verdict on one policy for a workflow of one agent at the root. */
function verdictOf(rule: string, options: object): string | undefined {
  const { chart } = compile({
    rootAgentId: "assistant",
    agents: [
      {
        type: "LlmAgent",
        id: "assistant",
        httpConfig: { url: "https://agents.test/assistant", method: "POST" },
      },
    ],
    ...options,
  })
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}`)
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  return analyzeChart(chart, { policies }).policies[0]?.verdict
}

test("a message of the user allows further cycles of the root", () => {
  const atMostTwo = "atMost: 2\n    of: { start: assistant }"
  const options = { maxOrchestrationCycles: 2 }
  expect(verdictOf(atMostTwo, options)).toBe("violated")
})

test("the message of a budget ends a turn whose model is not called", () => {
  const assistant = {
    type: "LlmAgent",
    id: "assistant",
    httpConfig: { url: "https://agents.test/assistant", method: "POST" },
  }
  const sequence = {
    type: "SequentialAgent",
    id: "all",
    subAgents: [{ agentId: "assistant" }, { agentId: "second" }],
  }
  const options = {
    rootAgentId: "all",
    agents: [sequence, assistant, { ...assistant, id: "second" }],
    budget: { maxModelCalls: 1, onExceeded: { message: "That was enough." } },
  }
  expect(verdictOf("never: { finish: second }", options)).toBe("violated")
})

test("a loop whose agents can all be skipped is decided, also without an exact counter", () => {
  const writer = {
    type: "LlmAgent",
    id: "writer",
    httpConfig: { url: "https://agents.test/writer", method: "POST" },
  }
  const { chart } = compile({
    rootAgentId: "rounds",
    agents: [
      {
        type: "LoopAgent",
        id: "rounds",
        maxAgentLoopIterations: 50,
        subAgents: [{ agentId: "writer", when: "session_state.get('open') == 'yes'" }],
      },
      writer,
    ],
  })
  const { policies } = readPolicies(
    "policies:\n  - name: p\n    never: { start: writer }\n    after: { finish: rounds }",
  )
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  expect(analyzeChart(chart, { policies }).policies[0]?.verdict).toBe("proved")
})

test("a toolset without a list can be a source or a destination of data", () => {
  const { chart } = compile({
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["read_crm", "extras"] }],
    globalTools: [
      { type: "FunctionTool", id: "read_crm" },
      { type: "Toolset", id: "extras" },
    ],
  })
  const { policies } = readPolicies(`
policies:
  - name: p
    noFlow: { from: { result: read_crm }, to: { arguments: post_public } }
functions: { read_crm: {} }`)
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  const [result] = analyzeChart(chart, { policies }).policies
  expect(result).toMatchObject({ verdict: "unknown", reasons: [{ code: "undeclared_toolset" }] })
})

test("a run that continues a session can begin with a member of the root's team", () => {
  const { chart } = compile({
    agent_class: "LlmAgent",
    name: "desk",
    model: "small",
    instruction: "Help.",
    sub_agents: [
      { agent_class: "LlmAgent", name: "billing", model: "small", instruction: "Bill." },
    ],
  })
  const verdicts = ["new", "any"].map((session) => {
    const { policies } = readPolicies(`
policies:
  - name: p
    allow: { start: billing }
    onlyAfter: { start: desk }
assume: { session: ${session} }`)
    if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
    return analyzeChart(chart, { policies }).policies[0]?.verdict
  })
  expect(verdicts).toEqual(["proved", "violated"])
})

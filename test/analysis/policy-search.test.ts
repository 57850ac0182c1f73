import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import type { PolicyResult } from "../../src/analysis/index.js"
import { compile, readPolicies } from "../../src/compiler/index.js"

/** Returns the result of a policy for a workflow, with at most `states` states for each search. */
function resultOf(config: object, rule: string, states: number): PolicyResult {
  const { chart } = compile(config)
  const { policies } = readPolicies(
    `policies:\n  - name: p\n    ${rule}\nlimits: { states: ${states} }`,
  )
  if (chart === null || policies === null) throw new Error("the workflow or the policy is wrong")
  const [result] = analyzeChart(chart, { policies }).policies
  if (result === undefined) throw new Error("the analysis has no result")
  return result
}

const agent = (id: string, more: object = {}): object => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `https://agents.test/${id}`, method: "POST" },
  ...more,
})

test("a violation is found although the search with exact counters has too many states", () => {
  const names = ["one", "two", "three", "four", "five", "six"]
  const tools = names.map((name) => ({
    type: "AgentTool",
    id: `ask_${name}`,
    targetAgentId: `${name}_helper`,
  }))
  const config = {
    rootAgentId: "all",
    maxModelCallsPerTurn: 12,
    globalTools: tools,
    agents: [
      { type: "ParallelAgent", id: "all", subAgents: names.map((agentId) => ({ agentId })) },
      ...names.flatMap((name) => [
        agent(name, { tools: [`ask_${name}`] }),
        agent(`${name}_helper`),
      ]),
    ],
  }
  const { verdict, counterexample } = resultOf(config, "never: { finish: six }", 400)
  expect(verdict).toBe("violated")
  expect(counterexample?.records).toBe(1)
})

test("a low counter does not hide a violation that needs a higher one", () => {
  const config = {
    rootAgentId: "rounds",
    agents: [
      {
        type: "LoopAgent",
        id: "rounds",
        maxAgentLoopIterations: 4,
        subAgents: [
          { agentId: "writer" },
          { agentId: "editor", when: "session_state['current_agent_loop_iteration'] == 3" },
        ],
      },
      agent("writer"),
      agent("editor"),
    ],
  }
  const { verdict } = resultOf(config, "never: { start: editor }", 1_000)
  expect(verdict).toBe("violated")
})

test("the search stops after the condition of onlyAfter has occurred", () => {
  const names = Array.from({ length: 30 }, (_, index) => `agent${index}`)
  const config = {
    rootAgentId: "all",
    agents: [
      { type: "SequentialAgent", id: "all", subAgents: names.map((agentId) => ({ agentId })) },
      ...names.map((name) => agent(name)),
    ],
  }
  const rule = "allow: { start: agent29 }\n    onlyAfter: { start: agent0 }"
  const { verdict, states } = resultOf(config, rule, 1_000)
  expect(verdict).toBe("proved")
  expect(states).toBeLessThan(5)
})

test("conditions that a policy does not depend on do not multiply the states", () => {
  const names = Array.from({ length: 12 }, (_, index) => `agent${index}`)
  const config = {
    rootAgentId: "all",
    agents: [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: names.map((agentId) => ({
          agentId,
          when: `session_state.get('${agentId}') == 1`,
        })),
      },
      ...names.map((name) => agent(name)),
    ],
  }
  const rule = "allow: { finish: agent3 }\n    onlyAfter: { start: agent3 }"
  expect(resultOf(config, rule, 500).verdict).toBe("proved")
})

test("occurrences outside the activations of a policy are not explored", () => {
  const names = Array.from({ length: 8 }, (_, index) => `agent${index}`)
  const config = {
    rootAgentId: "all",
    agents: [
      { type: "ParallelAgent", id: "all", subAgents: names.map((agentId) => ({ agentId })) },
      ...names.map((name) => agent(name)),
    ],
  }
  const rule = 'atMost: 1\n    of: { start: "*" }\n    per: agent agent3'
  expect(resultOf(config, rule, 300).verdict).toBe("proved")
})

test.each([
  ["its result ends the turn", { skipSummarization: true }],
  ["its result is summarized", {}],
])("one response can call an agent tool several times (%s)", (_, fields) => {
  const config = {
    rootAgentId: "desk",
    maxModelCalls: 3,
    globalTools: [{ type: "AgentTool", id: "ask_helper", targetAgentId: "helper", ...fields }],
    agents: [agent("desk", { tools: ["ask_helper"] }), agent("helper")],
  }
  expect(resultOf(config, "atMost: 1\n    of: { finish: helper }", 3_000).verdict).toBe("violated")
  // The run allows one call of the desk and two of the helper.
  expect(resultOf(config, "atMost: 2\n    of: { finish: helper }", 3_000).verdict).toBe("proved")
})

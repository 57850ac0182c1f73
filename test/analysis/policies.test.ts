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

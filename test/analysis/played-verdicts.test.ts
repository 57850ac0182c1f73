import { expect, test } from "vitest"
import { decideSet } from "../../src/cli/counterexample/decide-set.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/index.js"

const llm = (id: string, fields: object = {}) => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `https://agents.test/${id}`, method: "POST" },
  ...fields,
})

const container = (type: string, id: string, agents: readonly string[], fields: object = {}) => ({
  type,
  id,
  subAgents: agents.map((agentId) => ({ agentId })),
  ...fields,
})

/** Returns the verdict on a policy, after its counterexample was played. */
async function verdictOf(
  rule: string,
  agents: readonly object[],
  options: object = {},
): Promise<string> {
  const chart = compileOrThrow({ rootAgentId: "main", agents, ...options })
  const few = "limits: { states: 1000 }"
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}\n${few}`)
  if (policies === null) throw new Error("the policy is wrong")
  const { results } = await decideSet(policies, chart, null)
  return results[0]?.verdict ?? ""
}

test("requests that expire repeatedly do not make the states of a turn infinite", async () => {
  const agents = [
    container("LoopAgent", "main", ["clerk"], { maxAgentLoopIterations: 2 }),
    llm("clerk", { expiresIn: 1000 }),
  ]
  const rule = "atMost: 2\n    of: { start: clerk }"
  expect(await verdictOf(rule, agents, { maxModelCallsPerTurn: 3 })).toBe("proved")
})

test("data follows a transfer to an agent that is not the first target", async () => {
  const agents = [
    llm("main", {
      subAgents: [
        llm("bill", { outputKey: "bill_text" }),
        container("SequentialAgent", "line", ["step"]),
      ],
    }),
    llm("step", { outputKey: "step_text" }),
  ]
  const rule = "noFlow: { from: { key: bill_text }, to: { key: step_text } }"
  expect(await verdictOf(rule, agents)).toBe("violated")
})

test("a person can answer before another agent has finished", async () => {
  const agents = [
    container("ParallelAgent", "main", ["desk", "checker"]),
    container("SequentialAgent", "desk", ["person", "payer"]),
    { type: "HumanAgent", id: "person", prompt: "Ready?" },
    llm("payer"),
    llm("checker"),
  ]
  const rule = "allow: { start: payer }\n    onlyAfter: { finish: checker }"
  expect(await verdictOf(rule, agents)).toBe("violated")
})

test("the budget of a run is exceeded only after enough calls have been made", async () => {
  const agents = [
    container("SequentialAgent", "main", ["writer", "critic"]),
    ...["writer", "critic"].map((id) => llm(id)),
  ]
  const budget = { maxModelCalls: 3, onExceeded: { message: "That was enough." } }
  const ruleOf = (agent: string): string =>
    `allow: { finish: ${agent} }\n    onlyAfter: { model: "*", by: ${agent} }`
  expect(await verdictOf(ruleOf("writer"), agents, { budget })).toBe("proved")
  expect(await verdictOf(ruleOf("critic"), agents, { budget })).toBe("violated")
})

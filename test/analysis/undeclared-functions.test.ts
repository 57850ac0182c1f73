import { expect, test } from "vitest"
import type { PolicyResult } from "../../src/analysis/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { decideSet } from "../../src/cli/counterexample/decide-set.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/index.js"

const callback = [{ name: "callbacks.guard" }]

const clerk = (fields: object = {}) => ({
  agent_class: "LlmAgent",
  name: "clerk",
  model: "small",
  instruction: "Help.",
  ...fields,
})

const all = (fields: object = {}) => ({
  agent_class: "SequentialAgent",
  name: "all",
  sub_agents: [clerk()],
  ...fields,
})

const pay = { tools: [{ name: "pay", outputKey: "paid" }] }

/** Reads one policy. `functions` is the declaration of all host functions, as YAML. */
function read(workflow: object, rule: string, functions: string) {
  const { policies } = readPolicies(
    `policies:\n  - name: p\n    ${rule}\nassume: { modelSignals: none }\n${functions}`,
  )
  if (policies === null) throw new Error("the policy is wrong")
  return { chart: compileOrThrow(workflow), policies }
}

function decide(...about: Parameters<typeof read>): PolicyResult {
  const { chart, policies } = read(...about)
  const [result] = analyzeChart(chart, { policies }).policies
  if (result === undefined) throw new Error("there is no verdict")
  return result
}

test.each([
  {
    where: "before a container",
    workflow: all({ before_agent_callbacks: callback }),
    rule: "whenever: { run: started }\n    then: { start: clerk }",
  },
  {
    where: "before an agent",
    workflow: clerk({ before_agent_callbacks: callback }),
    rule: 'whenever: { run: started }\n    then: { model: "*" }',
  },
  {
    where: "after a tool",
    workflow: all({ sub_agents: [clerk({ ...pay, after_tool_callbacks: callback })] }),
    rule: "allow: { finish: clerk, outcome: [escalated] }\n    onlyAfter: { start: nobody }",
  },
])("a policy that depends on an undeclared callback $where is unknown", ({ workflow, rule }) => {
  const declared = decide(workflow, rule, 'functions: { "*": {} }')
  const answering = decide(
    workflow,
    rule,
    'functions: { "*": { mayAnswer: true, mayEscalate: true } }',
  )
  const undeclared = decide(workflow, rule, "")
  expect([declared.verdict, answering.verdict]).toEqual(["proved", "violated"])
  expect(undeclared.verdict).toBe("unknown")
  expect(undeclared.reasons[0]?.code).toBe("undeclared_function")
})

test("a tool call that a callback answers has no tool result", async () => {
  const workflow = {
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [
      {
        type: "LlmAgent",
        id: "clerk",
        model: "small",
        tools: ["pay"],
        beforeToolCallback: "callbacks.guard",
      },
    ],
    globalTools: [
      {
        type: "HttpTool",
        id: "pay",
        httpConfig: { url: "https://tools.test/pay", method: "POST" },
        outputKey: "paid",
      },
    ],
  }
  const rule = "allow: { write: paid }\n    onlyAfter: { result: pay }"
  expect(decide(workflow, rule, 'functions: { "*": {} }').verdict).toBe("proved")
  const { chart, policies } = read(workflow, rule, 'functions: { "*": { mayAnswer: true } }')
  const { results } = await decideSet(policies, chart, null)
  expect(results[0]).toMatchObject({ verdict: "violated", counterexample: { seen: {} } })
})

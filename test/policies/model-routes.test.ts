import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { counterexamplesOf, maxPaths } from "../../src/analysis/policies/analyze-policies.js"
import { playCounterexample } from "../../src/cli/counterexample/play-counterexample.js"
import { compile, readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"

function chartOf(writer: object, workflow: object = {}): AgentChart {
  const { chart, diagnostics } = compile({
    rootAgentId: "all",
    initialUserInput: "Hello.",
    maxModelCallsPerTurn: 1,
    maxOrchestrationCycles: 1,
    agents: [
      {
        type: "SequentialAgent",
        id: "all",
        subAgents: [{ agentId: "classifier" }, { agentId: "writer" }],
      },
      { type: "LlmAgent", id: "classifier", model: "small", outputKey: "topic" },
      { type: "LlmAgent", id: "writer", model: "small", outputKey: "text", ...writer },
    ],
    ...workflow,
  })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

function policiesOf(rule: string, assume = "modelSignals: none") {
  const { policies } = readPolicies(`policies:\n  - name: p\n    ${rule}\nassume: { ${assume} }`)
  if (policies === null) throw new Error("the policy is invalid")
  return policies
}

async function verdictOf(rule: string, chart: AgentChart, assume?: string) {
  const set = policiesOf(rule, assume)
  const [policy] = set.policies
  const [result] = analyzeChart(chart, { policies: set }).policies
  if (policy === undefined || result?.verdict !== "violated") return { verdict: result?.verdict }
  const context = { chart, policy, set, prices: null }
  for (const counterexample of counterexamplesOf(chart, policy, set, null, maxPaths)) {
    const { play } = await playCounterexample(counterexample, context)
    if (play !== null) return { verdict: result.verdict, isPlayed: true }
  }
  return { verdict: result.verdict, isPlayed: false }
}

const byTopic = chartOf({
  instructions: "Write about {topic}.",
  routes: [
    { when: "session_state['topic'] == 'law'", model: "careful" },
    { when: "session_state['topic'] == 'code'", model: "coder" },
    { when: "session_state['topic'] == 'law' and 'x' in session_state['topic']", model: "unused" },
  ],
  fallback: ["backup"],
})

test.each([
  ["never: { model: careful }"],
  ["never: { model: coder }"],
  ["never: { model: backup }\n    after: { model: coder }"],
  ["never: { model: backup, by: writer }"],
  ["atMost: 2\n    of: { model: '*' }"],
  ["budget: { modelCalls: 2 }"],
  ["noFlow: { from: { prompt: user }, to: { model: coder } }"],
])("%s is violated, and its counterexample is played", async (rule) => {
  expect(await verdictOf(rule, byTopic)).toEqual({ verdict: "violated", isPlayed: true })
})

test.each([
  // No topic meets both conditions.
  ["never: { model: coder }\n    after: { model: careful }"],
  ["never: { model: unused }"],
  ["atMost: 3\n    of: { model: '*' }"],
  ["budget: { modelCalls: 3 }"],
  ["noFlow: { from: { prompt: user }, to: { model: other } }"],
])("%s is proved", async (rule) => {
  expect(await verdictOf(rule, byTopic)).toEqual({ verdict: "proved" })
})

const byTierIn = (workflow: object) =>
  chartOf({ routes: [{ when: "session_state['tier'] == 'pro'", model: "large" }] }, workflow)

const byTier = byTierIn({ state: { tier: "free" } })

test("the initial state decides which model can be called", async () => {
  const never = "never: { model: large }"
  const chart = "modelSignals: none, startState: chart"
  expect(await verdictOf(never, byTier, chart)).toEqual({ verdict: "proved" })
  const any = "modelSignals: none, startState: any"
  expect(await verdictOf(never, byTier, any)).toEqual({ verdict: "violated", isPlayed: true })
})

test("a condition that can fail ends the turn before a model is called", async () => {
  const rule =
    "allow: { finish: writer, outcome: [failed] }\n    onlyAfter: { model: '*', by: writer }"
  const assume = "modelSignals: none, startState: any"
  expect(await verdictOf(rule, byTierIn({}), assume)).toEqual({
    verdict: "violated",
    isPlayed: true,
  })
  const ofConfig = "modelSignals: none, startState: chart"
  expect(await verdictOf(rule, byTier, ofConfig)).toEqual({ verdict: "proved" })
})

test("a key that a tool writes selects the model of the next call in the turn", async () => {
  const chart = chartOf(
    {
      tools: ["measure"],
      routes: [{ when: "'size' in session_state", model: "large" }],
    },
    {
      maxModelCallsPerTurn: 3,
      globalTools: [
        {
          type: "HttpTool",
          id: "measure",
          outputKey: "size",
          httpConfig: { url: "https://tools.test/measure", method: "POST" },
        },
      ],
    },
  )
  const assume = "modelSignals: none, startState: chart"
  expect(await verdictOf("never: { model: large }", chart, assume)).toEqual({
    verdict: "violated",
    isPlayed: true,
  })
  expect(
    await verdictOf("allow: { model: large }\n    onlyAfter: { result: measure }", chart, assume),
  ).toEqual({ verdict: "proved" })
})

test("the most expensive route determines the maximum cost", () => {
  const prices = {
    small: { perCall: 1 },
    careful: { perCall: 20 },
    coder: { perCall: 5 },
    unused: { perCall: 2 },
    backup: { perCall: 1 },
  }
  const { bounds } = analyzeChart(byTopic, { prices })
  // One call of the classifier, and at most two calls of the writer.
  expect(bounds.modelCalls.most).toBe(3)
  expect(bounds.cost?.most).toBe(41)
})

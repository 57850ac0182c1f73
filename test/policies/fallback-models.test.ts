import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { playCounterexample } from "../../src/cli/counterexample/play-counterexample.js"
import { compile, readPolicies } from "../../src/compiler/index.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { createRunner } from "../../src/runtime/runner/runner.js"

const agent = {
  type: "LlmAgent",
  id: "writer",
  model: "first",
  fallback: [
    { model: "second", on: ["context_too_long"] },
    { model: "third", on: ["malformed"] },
    { model: "fourth", on: ["refused"] },
  ],
  activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" } },
}

const { chart } = compile({
  rootAgentId: "all",
  initialUserInput: "Hello.",
  maxModelCallsPerTurn: 1,
  agents: [{ type: "SequentialAgent", id: "all", subAgents: [{ agentId: "writer" }] }, agent],
})
if (chart === null) throw new Error("the workflow is invalid")

function policiesOf(rule: string) {
  const { policies } = readPolicies(
    `policies:\n  - name: p\n    ${rule}\nassume: { modelSignals: none }`,
  )
  if (policies === null) throw new Error("the policy is invalid")
  return policies
}

test.each([
  ["never: { model: second }"],
  ["never: { model: fourth }"],
  ["atMost: 3\n    of: { model: '*' }"],
  ["never: { run: failed }"],
  ["noFlow: { from: { prompt: user }, to: { model: third } }"],
])("%s is violated, and its counterexample is played", async (rule) => {
  const set = policiesOf(rule)
  const [policy] = set.policies
  const [verdict] = analyzeChart(chart, { policies: set }).policies
  if (policy === undefined || verdict?.counterexample == null)
    throw new Error(`there is no counterexample: ${verdict?.verdict}`)
  const context = { chart, policy, set, prices: null }
  const { play } = await playCounterexample(verdict.counterexample, context)
  expect(play).not.toBeNull()
})

test.each([
  ["never: { model: second }\n    after: { model: fourth }"],
  ["atMost: 4\n    of: { model: '*' }"],
  ["budget: { modelCalls: 4 }"],
])("%s is proved", (rule) => {
  expect(analyzeChart(chart, { policies: policiesOf(rule) }).policies[0]?.verdict).toBe("proved")
})

test("the price of a fallback model counts toward a cost budget", () => {
  const set = policiesOf("budget: { cost: 3 }")
  const verdictWith = (fourth: number) =>
    analyzeChart(chart, {
      policies: set,
      prices: {
        first: { perCall: 0.1 },
        second: { perCall: 0.1 },
        third: { perCall: 0.1 },
        fourth: { perCall: fourth },
      },
    }).policies[0]?.verdict
  // Each call has up to two attempts.
  expect(verdictWith(0.1)).toBe("unknown")
  expect(verdictWith(2)).toBe("violated")
})

test("an enforced policy stops the call of a fallback model before it is made", async () => {
  let called = false
  const run = createRunner({
    policies: policiesOf("never: { model: fourth }"),
    enforce: true,
    models: {
      first: {
        call: () =>
          Promise.reject(
            new CallFailedError({
              code: "model_call_failed",
              message: "answered 401",
              status: 401,
              retryable: false,
            }),
          ),
      },
      second: { call: async () => ({ content: "second" }) },
      third: { call: async () => ({ content: "third" }) },
      fourth: {
        call: async () => {
          called = true
          return { content: "fourth" }
        },
      },
    },
  }).start(chart)
  expect(await run.result).toMatchObject({ status: "failed", error: { code: "policy_violation" } })
  expect(called).toBe(false)
})

const url = (name: string) => `https://${name}.test/write`
const endpoint = (name: string) => ({ url: url(name), method: "POST" })
const { chart: ofEndpoints } = compile({
  rootAgentId: "all",
  initialUserInput: "Hello.",
  maxModelCallsPerTurn: 1,
  agents: [
    { type: "SequentialAgent", id: "all", subAgents: [{ agentId: "writer" }] },
    {
      type: "LlmAgent",
      id: "writer",
      httpConfig: endpoint("first"),
      fallback: [
        { httpConfig: endpoint("second"), on: ["malformed"] },
        { httpConfig: endpoint("third"), on: ["refused"] },
      ],
    },
  ],
})

test.each([
  [`never: { model: "${url("third")}" }`, "violated"],
  [`never: { model: "${url("second")}" }\n    after: { model: "${url("third")}" }`, "proved"],
  [`noFlow: { from: { prompt: user }, to: { model: "${url("second")}" } }`, "violated"],
  [`noFlow: { from: { prompt: user }, to: { server: "${url("second")}" } }`, "violated"],
  [`noFlow: { from: { server: "${url("third")}" }, to: { input: writer } }`, "proved"],
])("for models with endpoints, %s is %s", async (rule, expected) => {
  if (ofEndpoints === null) throw new Error("the workflow is invalid")
  const set = policiesOf(rule)
  const [policy] = set.policies
  const [verdict] = analyzeChart(ofEndpoints, { policies: set }).policies
  expect(verdict?.verdict).toBe(expected)
  if (policy === undefined || verdict?.counterexample == null) return
  const context = { chart: ofEndpoints, policy, set, prices: null }
  const { play } = await playCounterexample(verdict.counterexample, context)
  expect(play).not.toBeNull()
})

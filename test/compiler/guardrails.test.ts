import { describe, expect, test } from "vitest"
import { compile, readPolicies } from "../../src/compiler/index.js"
import { LlmAgent, programOf } from "../../src/adk/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { drawMermaid } from "../../src/drawing/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"

const compiled = (guardrails: unknown, more: object = {}) =>
  compile(
    {
      rootAgentId: "writer",
      agents: [{ type: "LlmAgent", id: "writer", model: "m", guardrails, ...more }],
    },
    { services: [{ name: "pii", kind: "guardrail" }] },
  )

const problems = (guardrails: unknown): readonly string[] =>
  compiled(guardrails).diagnostics.map(({ code, pointer }) => `${code} at ${pointer}`)

describe("guardrails in a config", () => {
  test.each([
    ["pii", ["wrong_type at /agents/0/guardrails"]],
    [{}, ["bad_value at /agents/0/guardrails"]],
    [{ input: "pii" }, ["wrong_type at /agents/0/guardrails/input"]],
    [{ input: [3] }, ["wrong_type at /agents/0/guardrails/input/0"]],
    [{ input: ["pi"] }, ["missing_service at /agents/0/guardrails/input/0"]],
    [{ input: [{ name: "x" }] }, ["missing_field at /agents/0/guardrails/input/0"]],
    [{ input: [{ instructions: "Trip." }] }, ["missing_field at /agents/0/guardrails/input/0"]],
    [
      { input: [{ service: "pii", model: "m" }] },
      ["bad_value at /agents/0/guardrails/input/0/model"],
    ],
    [
      { input: [{ service: "pii", mode: "beside", onTrip: "replace" }] },
      ["bad_value at /agents/0/guardrails/input/0/onTrip"],
    ],
    [
      { input: [{ service: "pii", onTrip: "repair" }] },
      ["bad_value at /agents/0/guardrails/input/0/onTrip"],
    ],
    [
      { output: [{ service: "pii", onTrip: "answer" }] },
      ["missing_field at /agents/0/guardrails/output/0/answer"],
    ],
    [
      { output: [{ service: "pii", answer: "No." }] },
      ["no_effect at /agents/0/guardrails/output/0/answer"],
    ],
    [
      { output: [{ service: "pii", maxRepairs: 2 }] },
      ["no_effect at /agents/0/guardrails/output/0/maxRepairs"],
    ],
    [{ input: ["pii"], output: ["pii"] }, ["duplicate_id at /agents/0/guardrails/output"]],
    [
      { output: [{ agentId: "other" }] },
      expect.arrayContaining(["missing_field at /agents/0/guardrails/output/0"]),
    ],
  ])("the invalid guardrails %j are reported", (guardrails, expected) => {
    expect(problems(guardrails)).toEqual(expected)
  })

  test("guardrails are part of the chart, with an agent for each model", () => {
    const { chart } = compiled({
      input: [{ name: "injection", instructions: "Trip.", model: "small", mode: "beside" }],
      output: [{ service: "pii", onTrip: "repair" }],
    })
    expect(chart?.agents["writer"]).toMatchObject({
      guardrails: {
        before: [],
        beside: [{ name: "injection", checker: "guardrail:writer:injection", onTrip: "fail" }],
        output: [{ name: "pii", service: "pii", onTrip: "repair", maxRepairs: 1 }],
        holdsText: true,
      },
    })
    expect(chart?.agents["guardrail:writer:injection"]).toMatchObject({
      model: "small",
      instructions: "Trip.",
      checks: "writer",
      tools: [],
    })
    expect(chart?.services).toEqual({ pii: { kind: "guardrail", usedBy: "writer" } })
  })

  test("guardrails are shown in drawings", () => {
    const { chart } = compiled({ input: ["pii"] })
    if (chart === null) throw new Error("there is no chart")
    expect(drawMermaid(chart)).toContain("checks input with pii (fail)")
  })

  test("guardrails count in the bounds of model calls and costs", () => {
    const guardrails = {
      input: [{ name: "injection", instructions: "Trip.", model: "small" }],
      output: [
        { name: "tone", instructions: "Trip.", onTrip: "repair", maxRepairs: 2 },
        { service: "pii", onTrip: "repair" },
      ],
    }
    const { chart } = compile({
      rootAgentId: "line",
      agents: [
        { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "writer" }] },
        { type: "LlmAgent", id: "writer", model: "m", guardrails },
      ],
    })
    if (chart === null) throw new Error("there is no chart")
    const prices = { small: { perCall: 1 }, m: { perCall: 10 } }
    const { bounds } = analyzeChart(chart, { prices })
    // Four responses, each checked by the model of the guardrail, and one check of the input.
    expect(bounds.modelCalls.most).toBe(4 + 4 + 1)
    expect(bounds.cost?.most).toBe(40 + 40 + 1)
    expect(bounds.expected.modelCalls).toBe(3)
  })
})

describe("policies on agents with guardrails", () => {
  const chartOf = (guardrails: object) => {
    const { chart } = compile({
      rootAgentId: "line",
      agents: [
        { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "writer" }] },
        { type: "LlmAgent", id: "writer", model: "m", outputKey: "text", guardrails },
      ],
    })
    if (chart === null) throw new Error("there is no chart")
    return chart
  }
  const verdictOf = (guardrails: object, policy: string): string | undefined => {
    const { policies, diagnostics } = readPolicies(`policies: [{ name: p, ${policy} }]`, {
      file: "p.policy.yaml",
    })
    if (policies === null) throw new Error(diagnostics.map(({ message }) => message).join())
    return analyzeChart(chartOf(guardrails), { policies }).policies?.[0]?.verdict
  }
  const before = { input: [{ name: "check", instructions: "Trip.", model: "small" }] }
  const beside = { input: [{ ...before.input[0], mode: "beside" }] }
  const output = { output: [{ name: "check", instructions: "Trip.", model: "small" }] }

  test.each([
    ["before", before, "allow: { model: m }, onlyAfter: { model: small }", "proved"],
    ["beside", beside, "allow: { model: m }, onlyAfter: { model: small }", "violated"],
    ["output", output, "allow: { model: m }, onlyAfter: { model: small }", "violated"],
    ["before", before, "never: { model: small }", "violated"],
    ["beside", beside, "never: { model: small }", "violated"],
    ["output", output, "never: { model: small }", "violated"],
    ["before", before, "atMost: 1, of: { model: '*' }", "violated"],
  ] as const)(
    "a policy on an agent with a guardrail (%s) has the expected verdict: case %#",
    (_, guardrails, policy, expected) => {
      expect(verdictOf(guardrails, policy)).toBe(expected)
    },
  )
})

test("the class LlmAgent of ADK accepts functions and models as guardrails", async () => {
  const heard: string[] = []
  const agent = new LlmAgent({
    name: "writer",
    model: { call: async () => ({ content: "Write to a@b.c" }) },
    guardrails: {
      input: [
        function polite({ text }) {
          heard.push(text)
          return { tripped: false }
        },
        {
          name: "injection",
          instructions: "Trip.",
          model: { call: async () => ({ content: '{"tripped": false}' }) },
        },
      ],
      output: [
        {
          name: "pii",
          onTrip: "replace",
          check: ({ text, context }) => {
            context.state.set("checked", true)
            return { tripped: text.includes("@"), replacement: "Write to us." }
          },
        },
      ],
    },
  })
  const { config, services, models } = programOf(agent)
  const { chart } = compile(config)
  if (chart === null) throw new Error("there is no chart")
  const run = createRunner({ services, models }).start(chart, { prompt: "Hello" })
  expect(await run.result).toMatchObject({
    status: "completed",
    text: "Write to us.",
    state: { checked: true },
  })
  expect(heard).toEqual(["Hello"])
  const { guardrails } = chart.agents["writer"] as { readonly guardrails?: { before: unknown } }
  expect(guardrails?.before).toMatchObject([{ name: "polite" }, { name: "injection" }])
})

import { describe, expect, test } from "vitest"
import { compile, readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { createCoreRunner } from "../../src/runtime/core.js"
import type { CoreRunnerOptions, RuntimeFeature } from "../../src/runtime/core.js"
import { conditions, graphs, policies, workflowCalls } from "../../src/runtime/features.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"

const chartOf = (config: object): AgentChart => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const models = { m: { call: async () => ({ content: "yes" }) } }

const agent = (id: string, more: object = {}) => ({
  id,
  type: "LlmAgent",
  model: "m",
  instructions: "Answer.",
  outputKey: id,
  ...more,
})

const line = (more: object = {}) => ({
  rootAgentId: "line",
  agents: [
    {
      id: "line",
      type: "SequentialAgent",
      subAgents: [{ agentId: "first" }, { agentId: "last", ...more }],
    },
    agent("first"),
    { id: "last", type: "HumanAgent", prompt: "Go on?", outputKey: "last" },
  ],
})

const called = chartOf({ rootAgentId: "found", agents: [agent("found")] })

const charts = {
  conditions: chartOf(line({ when: "session_state['first'] == 'no'" })),
  graphs: chartOf({
    dialect: "adk",
    rootAgentId: "graph",
    agents: [
      { type: "Workflow", name: "graph", edges: [["START", "one"]] },
      { type: "LlmAgent", name: "one", model: "m", instruction: "Answer.", outputKey: "one" },
    ],
  }),
  workflowCalls: chartOf({
    rootAgentId: "caller",
    agents: [{ id: "caller", type: "WorkflowAgent", workflow: "called", outputKey: "found" }],
  }),
}

const features: Readonly<Record<keyof typeof charts, RuntimeFeature>> = {
  conditions,
  graphs,
  workflowCalls,
}

const read = readPolicies("policies: [{ name: no-first, never: { start: first } }]", {
  file: "rules.policy.yaml",
})

describe("a core runner", () => {
  test("runs, stores and resumes a workflow without any feature", async () => {
    const journal = memoryJournal()
    const first = createCoreRunner({ models, journal })
    const begun = first.start(chartOf(line()), { runId: "r1" })
    expect(await begun.whenSettled()).toMatchObject({ status: "waiting" })
    await first.close()
    const run = await createCoreRunner({ models, journal }).resume("r1")
    run.answer(run.pending()[0]?.id ?? "", "Yes.")
    expect(await run.result).toMatchObject({
      status: "completed",
      state: { first: "yes", last: "Yes." },
    })
  })

  test.each(["conditions", "graphs", "workflowCalls"] as const)(
    "refuses a chart that needs the feature %s, and runs it with the feature",
    async (name) => {
      const chart = charts[name]
      expect(() => createCoreRunner({ models, workflows: { called } }).start(chart)).toThrow(
        expect.objectContaining({
          code: "feature_missing",
          message: expect.stringContaining(`features: [${name}]`),
        }),
      )
      const run = createCoreRunner({
        models,
        workflows: { called },
        features: [features[name]],
      }).start(chart)
      const expected = await createRunner({ models, workflows: { called } }).start(chart).result
      expect(await run.result).toEqual({ ...expected, runId: run.runId })
      expect(expected).toMatchObject({ status: "completed" })
    },
  )

  test("refuses policies without the feature policies, and enforces them with it", async () => {
    if (read.policies === null) throw new Error("the policies are invalid")
    const options: CoreRunnerOptions = { models, policies: read.policies, enforce: true }
    expect(() => createCoreRunner(options).start(charts.conditions)).toThrow(
      expect.objectContaining({ code: "feature_missing" }),
    )
    const run = createCoreRunner({ ...options, features: [conditions, policies] }).start(
      charts.conditions,
    )
    expect(await run.result).toMatchObject({
      status: "failed",
      error: { code: "policy_violation" },
    })
  })

  test("refuses to resume a child run without the feature workflowCalls", async () => {
    const journal = memoryJournal()
    const waiting = { m: { call: () => new Promise<never>(() => {}) } }
    const runner = createRunner({ models: waiting, workflows: { called }, journal })
    const parent = runner.start(charts.workflowCalls)
    await expect.poll(() => journal.list().length).toBe(2)
    await runner.close()
    const child = journal.list().find(({ runId }) => runId !== parent.runId)
    await expect(
      createCoreRunner({ models, journal }).resume(child?.runId ?? ""),
    ).rejects.toMatchObject({ code: "feature_missing" })
  })

  test("explains wrong features", () => {
    const wrong = { features: conditions } as unknown as CoreRunnerOptions
    expect(() => createCoreRunner(wrong)).toThrow("features must be a list of features")
    const misspelled = { feature: [conditions] } as unknown as CoreRunnerOptions
    expect(() => createCoreRunner(misspelled)).toThrow('Did you mean "features"?')
  })
})

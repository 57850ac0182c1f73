import { describe, expect, test } from "vitest"
import { createMachine, fromPromise } from "xstate"
import { compile, readPolicies } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest } from "../../src/machines/contract/services.js"
import { createCoreRunner } from "../../src/runtime/core.js"
import type { CoreRunner, CoreRunnerOptions, RuntimeFeature } from "../../src/runtime/core.js"
import {
  compaction,
  conditions,
  graphs,
  machineAgents,
  policies,
  workflowCalls,
} from "../../src/runtime/features.js"
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

/** A user-defined machine that invokes a promise. */
const clerk = createMachine({
  id: "clerk",
  initial: "looking",
  output: { found: 3 },
  states: {
    looking: { invoke: { src: "look", onDone: "found" } },
    found: { type: "final" },
  },
}).provide({ actors: { look: fromPromise(async () => 3) } })

const called = chartOf({ rootAgentId: "found", agents: [agent("found")] })

const charts = {
  compaction: chartOf({
    rootAgentId: "talker",
    agents: [agent("talker", { compaction: { maxTokens: 200 } })],
  }),
  conditions: chartOf(line({ when: "session_state['first'] == 'no'" })),
  graphs: chartOf({
    dialect: "adk",
    rootAgentId: "graph",
    agents: [
      { type: "Workflow", name: "graph", edges: [["START", "one"]] },
      { type: "LlmAgent", name: "one", model: "m", instruction: "Answer.", outputKey: "one" },
    ],
  }),
  machineAgents: chartOf({
    dialect: "adk",
    rootAgentId: "clerk",
    agents: [{ name: "clerk", type: "MachineAgent", service: "clerk", outputKey: "clerk" }],
  }),
  workflowCalls: chartOf({
    rootAgentId: "caller",
    agents: [{ id: "caller", type: "WorkflowAgent", workflow: "called", outputKey: "found" }],
  }),
}

const features: Readonly<Record<keyof typeof charts, RuntimeFeature>> = {
  compaction,
  conditions,
  graphs,
  machineAgents,
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

  test.each(["compaction", "conditions", "graphs", "machineAgents", "workflowCalls"] as const)(
    "refuses a chart that needs the feature %s, and runs it with the feature",
    async (name) => {
      const chart = charts[name]
      const services = { models, workflows: { called }, services: { clerk } }
      expect(() => createCoreRunner(services).start(chart)).toThrow(
        expect.objectContaining({
          code: "feature_missing",
          message: expect.stringContaining(`features: [${name}]`),
        }),
      )
      const run = createCoreRunner({ ...services, features: [features[name]] }).start(chart)
      const expected = await createRunner(services).start(chart).result
      expect(await run.result).toEqual({ ...expected, runId: run.runId })
      expect(expected).toMatchObject({ status: "completed" })
    },
  )

  test("summarizes a long conversation with the feature compaction", async () => {
    const asked: string[] = []
    const m = {
      signals: true,
      call: async ({ agent }: ModelRequest) => {
        asked.push(agent)
        return agent === "summarizer:talker"
          ? { content: "A summary." }
          : { content: "Tell me more. ".repeat(20), waitForUserInput: true }
      },
    }
    const run = createCoreRunner({ models: { m }, features: [compaction] }).start(
      charts.compaction,
      { prompt: "Hello" },
    )
    for (let turn = 1; turn <= 4; turn++) {
      expect(await run.whenSettled()).toMatchObject({ status: "waiting" })
      await run.say(`Message ${turn}`)
    }
    await run.whenSettled()
    await run.end()
    expect(asked.filter((name) => name === "talker")).toHaveLength(5)
    expect(asked).toContain("summarizer:talker")
  })

  test("executes callbacks like a runner with all features", async () => {
    const chart = chartOf({
      dialect: "adk",
      name: "clerk",
      model: "m",
      instruction: "Answer.",
      outputKey: "text",
      beforeAgentCallback: "before",
      beforeModelCallback: "before",
      afterModelCallback: "after",
      afterAgentCallback: "after",
    })
    const play = async (runner: CoreRunner): Promise<[object, readonly string[]]> => {
      const run = runner.start(chart, { runId: "r1" })
      const events: string[] = []
      run.events$.subscribe(({ type }) => void events.push(type))
      return [await run.result, events]
    }
    const called: string[] = []
    const note = (_: unknown, input: unknown): void => {
      called.push((input as { hook: string }).hook)
    }
    const options = { models, services: { before: note, after: note } }
    const small = await play(createCoreRunner(options))
    const moments = ["beforeAgent", "beforeModel", "afterModel", "afterAgent"]
    expect(called).toEqual(moments)
    expect(await play(createRunner(options))).toEqual(small)
    expect(called).toEqual([...moments, ...moments])
    expect(small[0]).toMatchObject({ status: "completed", state: { text: "yes" } })
  })

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

  test("rejects invalid features with a message that explains the error", () => {
    const wrong = { features: conditions } as unknown as CoreRunnerOptions
    expect(() => createCoreRunner(wrong)).toThrow("features must be a list of features")
    const misspelled = { feature: [conditions] } as unknown as CoreRunnerOptions
    expect(() => createCoreRunner(misspelled)).toThrow('Did you mean "features"?')
  })
})

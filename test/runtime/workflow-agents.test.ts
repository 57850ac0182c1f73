import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { CallServices } from "../../src/runtime/host/call-services.js"
import { callPerformer } from "../../src/runtime/host/call-performer.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { CompileOptions } from "../../src/compiler/compile.js"
import {
  begin,
  calls,
  interpreters,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

const chartOf = (config: object | string, options: CompileOptions = {}): AgentChart => {
  const { chart, diagnostics } = compile(config, options)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const research = chartOf({
  rootAgentId: "searcher",
  agents: [
    { id: "searcher", type: "LlmAgent", model: "m", instructions: "Search.", outputKey: "found" },
  ],
})

const parent = {
  rootAgentId: "pipeline",
  agents: [
    {
      id: "pipeline",
      type: "SequentialAgent",
      subAgents: [{ agentId: "research" }, { agentId: "writer" }],
    },
    {
      id: "research",
      type: "WorkflowAgent",
      workflow: "research",
      prompt: "Find {topic}.",
      input: ["topic"],
      outputKey: "facts",
    },
    { id: "writer", type: "LlmAgent", model: "m", instructions: "Use {{state.facts}}." },
  ],
  state: { topic: "owls" },
}

const answer = (content: string) => ({ content })

/** A workflow in which a person approves a draft. */
const review = chartOf({
  rootAgentId: "flow",
  agents: [
    { id: "flow", type: "SequentialAgent", subAgents: [{ agentId: "boss" }, { agentId: "clerk" }] },
    { id: "boss", type: "HumanAgent", prompt: "Approve {draft}?", outputKey: "decision" },
    { id: "clerk", type: "LlmAgent", model: "m", instructions: "File it.", outputKey: "filed" },
  ],
})

const callOf = (workflow: string, fields: object = {}): AgentChart =>
  chartOf({
    rootAgentId: "caller",
    agents: [{ id: "caller", type: "WorkflowAgent", workflow, outputKey: "result", ...fields }],
    state: { draft: "a letter" },
  })

describe.each(interpreters)("a WorkflowAgent with interpreter %s", (interpreter) => {
  test("starts the child run with its own input, and saves its text", async () => {
    const model = scriptedModel({
      searcher: [answer("Owls fly at night.")],
      writer: [answer("A text about owls.")],
    })
    const { controls, events } = begin(interpreter, chartOf(parent), {
      models: { m: model.models.any },
      workflows: { research },
    })
    const result = await controls.result
    expect(result).toMatchObject({
      status: "completed",
      text: "A text about owls.",
      state: { topic: "owls", facts: "Owls fly at night." },
    })
    expect(model.asked[0]?.messages).toContainEqual({ role: "user", content: "Find owls." })
    const link = { workflow: "research", childRun: `${result.runId}/pipeline/research#0` }
    expect(events.filter(({ agent }) => agent === "research")).toMatchObject([
      { type: "agent.started", kind: "WorkflowAgent", ...link },
      { type: "agent.finished", kind: "WorkflowAgent", outcome: "done", ...link },
      { type: "state.changed", set: { facts: "Owls fly at night." } },
    ])
  })

  test("saves the state of the child run with output: state", async () => {
    const model = scriptedModel({ searcher: [answer("Owls fly.")] })
    const { controls } = begin(
      interpreter,
      callOf("research", { output: "state", input: { topic: "draft" } }),
      { models: { m: model.models.any }, workflows: { research } },
    )
    expect((await controls.result).state["result"]).toMatchObject({
      topic: "a letter",
      found: "Owls fly.",
    })
  })

  test("passes on the pending requests of the child run and the answers to them", async () => {
    const model = scriptedModel({ clerk: [answer("Filed.")] })
    const { controls } = begin(
      interpreter,
      callOf("review", { input: ["draft"], output: "state" }),
      {
        models: { m: model.models.any },
        workflows: { review },
      },
    )
    const rested = await controls.whenSettled()
    expect(rested.status).toBe("waiting")
    const [request] = controls.pending()
    expect(request).toMatchObject({
      id: "caller#0/flow/boss#0",
      kind: "human",
      agent: "caller",
      prompt: "Approve a letter?",
      child: { runId: `${rested.runId}/caller#0`, request: "flow/boss#0" },
    })
    controls.answer(request?.id ?? "", "yes")
    const result = await controls.result
    expect(result).toMatchObject({
      status: "completed",
      text: "Filed.",
      state: { result: { decision: "yes", filed: "Filed." } },
    })
  })

  test("fails if the child run fails", async () => {
    const refused = { call: async () => Promise.reject(new Error("no answer")) }
    const { controls } = begin(interpreter, callOf("research"), {
      models: { m: refused },
      workflows: { research },
    })
    const result = await controls.result
    expect(result).toMatchObject({ status: "failed", error: { code: "child_run_failed" } })
    expect(result.error?.message).toMatch(
      /\/caller#0" of agent "caller" ended with status failed: .*no answer/,
    )
  })

  test("limits the model calls of the child run", async () => {
    const model = scriptedModel({ searcher: [answer("Owls.")], clerk: [answer("Filed.")] })
    const two = chartOf({
      rootAgentId: "both",
      agents: [
        {
          id: "both",
          type: "SequentialAgent",
          subAgents: [{ agentId: "searcher" }, { agentId: "clerk" }],
        },
        { id: "searcher", type: "LlmAgent", model: "m" },
        { id: "clerk", type: "LlmAgent", model: "m" },
      ],
    })
    const { controls } = begin(interpreter, callOf("two", { maxModelCalls: 1 }), {
      models: { m: model.models.any },
      workflows: { two },
    })
    const { error } = await controls.result
    expect(error?.message).toMatch(/ended with status limit: .*maxModelCalls \(1\)/)
    expect(model.asked).toHaveLength(1)
  })

  test("fails before its first call if the workflow is not registered", async () => {
    const { controls } = begin(interpreter, callOf("reserch"), { workflows: { research } })
    const { error } = await controls.result
    expect(error).toMatchObject({ code: "service_missing" })
    expect(error?.message).toMatch(
      /agent "caller" needs the workflow "reserch" \(did you mean "research"\?\).*workflows: \{ "reserch": chart \}/,
    )
  })

  test("limits the depth of workflows that call each other", async () => {
    const again = callOf("again")
    const { controls } = begin(interpreter, again, { workflows: { again } })
    const { error } = await controls.result
    expect(error?.message).toMatch(/cannot call the workflow "again".*10 levels deep/)
  })

  test("can be the target of an AgentTool", async () => {
    const model = scriptedModel({
      desk: [calls("ask_research", { request: "What do owls eat?" }), answer("They eat mice.")],
      searcher: [answer("Mice.")],
    })
    const { controls } = begin(
      interpreter,
      chartOf({
        rootAgentId: "desk",
        agents: [
          { id: "desk", type: "LlmAgent", model: "m", tools: ["ask_research"] },
          { id: "research", type: "WorkflowAgent", workflow: "research" },
        ],
        globalTools: [{ id: "ask_research", type: "AgentTool", targetAgentId: "research" }],
      }),
      { models: { m: model.models.any }, workflows: { research } },
    )
    expect(await controls.result).toMatchObject({ status: "completed", text: "They eat mice." })
    expect(model.asked[1]?.messages.at(-1)).toEqual({ role: "user", content: "What do owls eat?" })
    expect(toldByTools(model.asked)).toEqual({ output: "Mice." })
  })

  test("runs a workflow of the adk dialect for one invocation", async () => {
    const model = scriptedModel({ guide: [answer("Go to Kyoto.")] })
    const guide = chartOf({ name: "guide", model: "m", instruction: "Help.", output_key: "trip" })
    const { controls } = begin(
      interpreter,
      callOf("guide", { output: "state", prompt: "Where to?" }),
      {
        models: { m: model.models.any },
        workflows: { guide },
      },
    )
    expect(await controls.result).toMatchObject({
      status: "completed",
      text: "Go to Kyoto.",
      state: { result: { trip: "Go to Kyoto." } },
    })
  })
})

test("engines refuse a chart that calls another workflow", () => {
  const { missing } = callPerformer({ workflows: { research } })
  expect(missing(callOf("research"))).toMatchObject({
    code: "workflow_calls_unsupported",
    agent: "caller",
  })
  expect(missing(review)).toMatchObject({ code: "service_missing" })
})

test("a WorkflowAgent that calls a graph cannot limit the model calls", async () => {
  const graph = chartOf({
    nodes: [
      {
        id: "send",
        type: "http",
        dependencies: [],
        http: { url: "https://example.com/{{ context.draft }}", method: "GET" },
      },
    ],
  })
  const urls: unknown[] = []
  const service = { call: async () => ({ content: "" }) }
  const node = {
    call: async (request: object) => {
      urls.push(request)
      return { status: 200, headers: {}, data: "sent" }
    },
  }
  const http = { model: service, tool: service, node } as unknown as NonNullable<
    CallServices["http"]
  >
  const run = createRunner({ http, workflows: { graph } }).start(
    callOf("graph", { input: ["draft"], maxModelCalls: 3 }),
  )
  expect((await run.result).error?.message).toMatch(/calls the graph "graph" with maxModelCalls/)
  expect(urls).toEqual([])
})

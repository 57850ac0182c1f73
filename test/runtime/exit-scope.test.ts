import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { interpreters, play } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { agentTool, chartOf, llm, parallel, sequence } from "../support/workflow.js"

type Fields = Readonly<Record<string, unknown>>

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `w${index}`)

/** Parallel blocks: with regions, and with actors because of the branch count or maxConcurrency. */
const forms: readonly [string, number, Fields][] = [
  ["of regions", 3, {}],
  ["of more than 16 branches", 17, {}],
  ["with maxConcurrency", 3, { maxConcurrency: 1 }],
]

const exits = { content: "enough", exitFlow: true }
const escalates = { content: "too hard", escalate: true }

const outcomesOf = (events: readonly { readonly type: string }[]) =>
  events.flatMap((event) => {
    if (event.type !== "agent.finished") return []
    const { agent, outcome } = event as typeof event & { agent: string; outcome: string }
    return [[agent, outcome]]
  })

describe.each(interpreters)('subAgentExitFlow "agent" (%s)', (interpreter) => {
  test.each(forms)(
    "exitFlow of a branch ends only this branch of a parallel block %s",
    async (_, count, more) => {
      const branches = names(count)
      const chart = chartOf(
        [
          sequence("main", ["block", "last"]),
          parallel("block", branches, more),
          ...branches.map((name) => llm(name)),
          llm("last"),
        ],
        { subAgentExitFlow: "agent" },
      )
      const services = scriptedServices({
        ...Object.fromEntries(branches.map((name) => [name, [{ content: name }]])),
        w0: [exits],
        last: [{ content: "end" }],
      })
      const { rested, events } = await play(interpreter, chart, services)
      expect(rested).toMatchObject({ status: "completed", text: "end" })
      expect(services.modelCalls.map(({ agent }) => agent)).toEqual([...branches, "last"])
      expect(rested.state).toMatchObject({ w0_text: "enough", w1_text: "w1", last_text: "end" })
      expect(outcomesOf(events)).toContainEqual(["w0", "exited"])
      expect(outcomesOf(events)).toContainEqual(["block", "done"])
      expect(events.filter(({ type }) => type === "warning")).toEqual([])
    },
  )

  test.each(forms)(
    "exitFlow in a container ends only the agent, in a parallel block %s",
    async (_, count, more) => {
      const branches = names(count)
      const chart = chartOf(
        [
          parallel("block", [...branches.slice(1), "inner"], more),
          sequence("inner", ["w0", "after"]),
          ...branches.map((name) => llm(name)),
          llm("after"),
        ],
        { subAgentExitFlow: "agent" },
      )
      const services = scriptedServices({
        ...Object.fromEntries(branches.map((name) => [name, [{ content: name }]])),
        w0: [exits],
        after: [{ content: "after" }],
      })
      const { rested } = await play(interpreter, chart, services)
      expect(rested).toMatchObject({
        status: "completed",
        text: "after",
        state: { w1_text: "w1", w0_text: "enough", after_text: "after" },
      })
    },
  )

  test("exitFlow of a node ends only this node of a Workflow graph, also in an inner graph", async () => {
    const chart = graphChart("agent")
    const services = scriptedServices({
      first: [exits],
      second: [exits],
      third: [{ content: "end" }],
    })
    const { rested } = await play(interpreter, chart, services)
    expect(rested).toMatchObject({ status: "completed", text: "end" })
    expect(services.modelCalls.map(({ agent }) => agent)).toEqual(["first", "second", "third"])
  })

  test("with subAgentExitFlow workflow, exitFlow of a node ends the run", async () => {
    const services = scriptedServices({ first: [exits] })
    const { rested } = await play(interpreter, graphChart("workflow"), services)
    expect(rested).toMatchObject({ status: "completed", text: "enough" })
    expect(services.modelCalls.map(({ agent }) => agent)).toEqual(["first"])
  })

  test.each(forms)(
    "exitFlow of the target of an AgentTool does not end a parallel block %s",
    async (_, count, more) => {
      const branches = names(count)
      const chart = chartOf(
        [
          parallel("block", branches, more),
          llm("w0", { tools: ["ask"] }),
          ...branches.slice(1).map((name) => llm(name)),
          llm("target"),
        ],
        { subAgentExitFlow: "agent", globalTools: [agentTool("ask", "target")] },
      )
      const services = scriptedServices({
        ...Object.fromEntries(branches.map((name) => [name, [{ content: name }]])),
        w0: [{ toolCalls: [{ id: "1", function_name: "ask" }] }, exits],
        target: [exits],
      })
      const { rested } = await play(interpreter, chart, services)
      expect(rested).toMatchObject({ status: "completed", state: { w1_text: "w1" } })
    },
  )
})

describe.each(interpreters)("an escalation out of a parallel block (%s)", (interpreter) => {
  test.each(forms)(
    "a parallel block %s ends as escalated in graph-compose",
    async (_, count, more) => {
      const branches = names(count)
      const chart = chartOf([
        sequence("main", ["block", "last"]),
        parallel("block", branches, more),
        ...branches.map((name) => llm(name)),
        llm("last"),
      ])
      const services = scriptedServices({
        ...Object.fromEntries(branches.map((name) => [name, [{ content: name }]])),
        w0: [escalates],
      })
      const { rested, events } = await play(interpreter, chart, services)
      expect(rested).toMatchObject({ status: "completed", state: { w1_text: "w1" } })
      expect(services.modelCalls.map(({ agent }) => agent)).toEqual(branches)
      expect(outcomesOf(events).slice(-2)).toEqual([
        ["block", "escalated"],
        ["main", "escalated"],
      ])
    },
  )

  test.each(forms)(
    "a parallel block %s ends as done in adk, and the sequence continues",
    async (_, count, more) => {
      const branches = names(count)
      const chart = adkChart([
        { type: "LoopAgent", name: "rounds", maxIterations: 3, subAgents: [{ agentId: "main" }] },
        {
          type: "SequentialAgent",
          name: "main",
          subAgents: [{ agentId: "block" }, { agentId: "last" }],
        },
        {
          type: "ParallelAgent",
          name: "block",
          subAgents: branches.map((agentId) => ({ agentId })),
          ...more,
        },
        ...[...branches, "last"].map((name) => ({ ...llm(name), id: undefined, name })),
      ])
      const services = scriptedServices({
        ...Object.fromEntries(branches.map((name) => [name, [{ content: name }]])),
        w0: [escalates],
        last: [{ content: "end" }],
      })
      const { rested, events } = await play(interpreter, chart, services)
      expect(rested).toMatchObject({
        status: "completed",
        text: "end",
        state: { loop_exit_reason: "escalate" },
      })
      expect(services.modelCalls.map(({ agent }) => agent)).toEqual([...branches, "last"])
      expect(outcomesOf(events)).toContainEqual(["block", "done"])
    },
  )
})

const adkChart = (agents: readonly Fields[], fields: Fields = {}): AgentChart => {
  const { chart, diagnostics } = compile(
    { rootAgentId: agents[0]?.["name"], agents, initialUserInput: "go", ...fields },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const graphChart = (subAgentExitFlow: string): AgentChart => {
  const agent = (name: string): Fields => ({ ...llm(name), id: undefined, name })
  return adkChart(
    [
      { type: "Workflow", name: "outer", edges: [["START", "first", "inner", "third"]] },
      { type: "Workflow", name: "inner", edges: [["START", "second"]] },
      agent("first"),
      agent("second"),
      agent("third"),
    ],
    { subAgentExitFlow },
  )
}

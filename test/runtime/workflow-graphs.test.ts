import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"
import { scriptedServices, type Script } from "../support/scripted-services.js"

type Fields = Readonly<Record<string, unknown>>

const llm = (name: string, fields: Fields = {}): Fields => ({
  type: "LlmAgent",
  name,
  instruction: "i",
  httpConfig: { url: `http://agents.test/${name}`, method: "POST" },
  ...fields,
})

const node = (type: string, name: string, fields: Fields = {}): Fields => ({
  type,
  name,
  ...fields,
})

function graph(
  edges: readonly unknown[],
  agents: readonly Fields[],
  fields: Fields = {},
  settings: Fields = {},
): AgentChart {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "flow",
      agents: [{ type: "Workflow", name: "flow", edges, ...fields }, ...agents],
      initialUserInput: "go",
      ...settings,
    },
    { dialect: "adk" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const answers = (texts: Readonly<Record<string, readonly string[]>>): Script =>
  Object.fromEntries(
    Object.entries(texts).map(([id, all]) => [id, all.map((content) => ({ content }))]),
  )

const withCode =
  (
    script: Script,
    services: Readonly<Record<string, HostFunction>> = {},
    delays: Readonly<Record<string, number>> = {},
  ) =>
  (): RunnerOptions => ({
    ...scriptedServices(
      script,
      {},
      ({ agent }) =>
        new Promise(
          (resolve) => delays[agent] === Infinity || setTimeout(resolve, delays[agent] ?? 0),
        ),
    ),
    services,
  })

describe("a graph of nodes", () => {
  test("a node receives the output of the previous node and no earlier history", async () => {
    const chart = graph(
      [["START", "draft", "polish"]],
      [llm("draft"), llm("polish", { outputKey: "fine" })],
    )
    const { modelCalls, ...services } = scriptedServices(
      answers({ draft: ["raw"], polish: ["fine"] }),
    )
    const { result } = await playBoth(chart, () => services)
    expect(result).toMatchObject({ status: "completed", text: "fine", state: { fine: "fine" } })
    expect(modelCalls.find(({ agent }) => agent === "polish")?.messages).toEqual([
      { role: "system", content: 'You are the agent "polish".\n\ni' },
      { role: "user", content: "raw" },
    ])
  })

  test("a join merges the finished branches in the order of the edges, regardless of their speed", async () => {
    const edges = [["START", ["north", "south"], "both"]]
    const both: HostFunction = (_, input) => input
    const nodes = [
      llm("north", { outputKey: "wind" }),
      llm("south", { outputKey: "wind" }),
      node("FunctionNode", "both"),
    ]
    for (const delays of [{ north: 20 }, { south: 20 }]) {
      const { result } = await playBoth(
        graph(edges, nodes),
        withCode(answers({ north: ["N"], south: ["S"] }), { both }, delays),
      )
      expect(result).toMatchObject({
        status: "completed",
        state: { wind: "S" },
        text: '{"north":"N","south":"S"}',
      })
    }
  })

  test("concurrent nodes do not see each other's state changes", async () => {
    const slow: HostFunction = ({ state }) => void state.set("slow", true)
    const look: HostFunction = ({ state }) => ({ saw: state.has("slow") })
    const edges = [
      ["START", "fast", "look"],
      ["START", "slow"],
    ]
    const chart = graph(edges, [
      llm("fast"),
      node("FunctionNode", "look"),
      node("FunctionNode", "slow"),
    ])
    const { result } = await playBoth(
      chart,
      withCode(answers({ fast: ["f"] }), { slow, look }, { fast: 20 }),
    )
    expect(result.state).toMatchObject({ slow: true })
    expect(result.text).toBe('{"saw":false}')
  })

  test("a join merges the state with the merge rules of the workflow", async () => {
    const add: HostFunction = ({ state }) =>
      void state.set("count", (state.get("count") as number) + 1)
    const edges = [["START", "first", ["left", "right"], "last"]]
    const nodes = ["first", "left", "right", "last"].map((name) =>
      node("FunctionNode", name, { service: "add" }),
    )
    const { result } = await playBoth(
      graph(edges, nodes, {}, { state: { count: 0 }, stateMerge: { count: "add" } }),
      withCode({}, { add }),
    )
    expect(result.state).toMatchObject({ count: 4 })
  })

  test("the graph follows the route that a router returns, and the node receives the input of the router", async () => {
    const sort: HostFunction = (_, input) => (String(input).includes("broken") ? "bug" : "praise")
    const edges = [["START", "sort", { bug: "fixer", praise: "thanker" }]]
    const chart = graph(edges, [node("RouterNode", "sort"), llm("fixer"), llm("thanker")])
    const { modelCalls, ...services } = scriptedServices(
      answers({ fixer: ["fixed"], thanker: ["thanks"] }),
    )
    const { result, events } = await playBoth(chart, () => ({ ...services, services: { sort } }), {
      prompt: "it is broken",
    })
    expect(result.text).toBe("fixed")
    expect(modelCalls[0]?.messages.at(-1)).toEqual({ role: "user", content: "it is broken" })
    expect(events.filter(({ type }) => type === "edge.followed")).toMatchObject([
      { from: "START", to: "sort", route: null },
      { from: "sort", to: "fixer", route: "bug" },
    ])
  })

  test("the text of an agent selects the route, or the default if no edge has this route", async () => {
    const edges = [
      ["START", "judge"],
      { from: "judge", routes: { good: "publish" }, default: "rewrite" },
    ]
    const chart = graph(edges, [llm("judge"), llm("publish"), llm("rewrite")])
    const yes = await playBoth(
      chart,
      withCode(answers({ judge: [" good\n"], publish: ["out"], rewrite: ["again"] })),
    )
    const no = await playBoth(
      chart,
      withCode(answers({ judge: ["hm"], publish: ["out"], rewrite: ["again"] })),
    )
    expect([yes.result.text, no.result.text]).toEqual(["out", "again"])
  })

  test("a route without an edge fails the graph with an error that names the route and the valid routes", async () => {
    const chart = graph(
      [["START", "sort", { bug: "fixer" }]],
      [node("RouterNode", "sort"), llm("fixer")],
    )
    const { result } = await playBoth(chart, withCode({}, { sort: () => "praise" }))
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "unknown_route",
        agent: "sort",
        message: expect.stringMatching(/"praise".*"bug"/),
      },
    })
  })

  test("a cycle repeats until a router leaves it, or ends with status limit at maxIterations", async () => {
    const edges = [["START", "write", "check", { again: "write", ok: "publish" }]]
    const nodes = [
      llm("write", { outputKey: "draft" }),
      node("RouterNode", "check"),
      llm("publish"),
    ]
    const check: HostFunction = ({ state }) => (state.get("draft") === "v3" ? "ok" : "again")
    const script = answers({ write: ["v1", "v2", "v3"], publish: ["out"] })
    const done = await playBoth(graph(edges, nodes), withCode(script, { check }))
    expect(done.result).toMatchObject({ status: "completed", text: "out", state: { draft: "v3" } })
    expect(
      done.events.flatMap((event) =>
        event.type === "agent.started" && event.agent === "write" ? [event.path] : [],
      ),
    ).toEqual(["flow/write", "flow/write[1]", "flow/write[2]"])
    const stopped = await playBoth(
      graph(edges, nodes, { maxIterations: 2 }),
      withCode(script, { check }),
    )
    expect(stopped.result).toMatchObject({
      status: "limit",
      state: { draft: "v2" },
      error: { code: "limit_reached", agent: "write" },
    })
  })

  test("a join in a cycle waits for all of its incoming edges in each iteration", async () => {
    const edges = [
      ["START", "plan", ["left", "right"], "sum", "check", { again: "plan", ok: "end" }],
    ]
    const names = ["plan", "left", "right", "sum", "end"]
    const seen: unknown[] = []
    const services = {
      ...Object.fromEntries(names.map((name): [string, HostFunction] => [name, () => name])),
      sum: ((_, input) => void seen.push(input)) as HostFunction,
      check: (({ state }) => {
        const round = ((state.get("round") as number | undefined) ?? 0) + 1
        state.set("round", round)
        return round < 2 ? "again" : "ok"
      }) as HostFunction,
    }
    const chart = graph(edges, [
      ...names.map((name) => node("FunctionNode", name)),
      node("RouterNode", "check"),
    ])
    const { result } = await playBoth(chart, withCode({}, services))
    expect(result).toMatchObject({ status: "completed", state: { round: 2 }, text: "end" })
    expect(seen).toEqual(Array.from({ length: 4 }, () => ({ left: "left", right: "right" })))
  })

  test("a failed node fails the graph, which keeps finished results and drops running nodes", async () => {
    const edges = [
      ["START", "done", "bad"],
      ["START", "slow"],
    ]
    const chart = graph(edges, [
      llm("done", { outputKey: "kept" }),
      llm("bad"),
      llm("slow", { outputKey: "dropped" }),
    ])
    const { result } = await playBoth(
      chart,
      withCode(
        { ...answers({ done: ["yes"], slow: ["late"] }), bad: [{ status: 400 }] },
        {},
        { slow: Infinity },
      ),
    )
    expect(result).toMatchObject({ status: "failed", error: { agent: "bad" } })
    expect(result.state).toMatchObject({ kept: "yes" })
    expect(result.state).not.toHaveProperty("dropped")
  })

  test("exitFlow of a node ends the workflow", async () => {
    const chart = graph(
      [["START", "first", "second"]],
      [llm("first", { outputKey: "said" }), llm("second")],
    )
    const { result } = await playBoth(
      chart,
      withCode({ first: [{ content: "stop", exitFlow: true }], second: [] }),
    )
    expect(result).toMatchObject({ status: "completed", text: "stop", state: { said: "stop" } })
  })

  test("inner graphs, sequences, functions, joins and tools can be nodes of a graph", async () => {
    const edges = [["START", "inner", "pair", "store"]]
    const agents = [
      { type: "Workflow", name: "inner", edges: [["START", "count", "gather"]] },
      node("FunctionNode", "count"),
      node("JoinNode", "gather"),
      {
        type: "SequentialAgent",
        name: "pair",
        subAgents: [{ agentId: "one" }, { agentId: "two" }],
      },
      llm("one"),
      llm("two"),
      node("ToolNode", "store", { tool: "save" }),
    ]
    const tools = { globalTools: [{ type: "FunctionTool", id: "save" }] }
    const stored: unknown[] = []
    const services = { count: () => 3, save: ((_, args) => void stored.push(args)) as HostFunction }
    const { modelCalls, ...scripted } = scriptedServices(answers({ one: ["1"], two: ["2"] }))
    const { result } = await playBoth(graph(edges, agents, {}, tools), () => ({
      ...scripted,
      services,
    }))
    expect(result.status).toBe("completed")
    expect(modelCalls[0]?.messages.at(-1)).toEqual({ role: "user", content: '{"count":3}' })
    expect(stored).toEqual([{ input: "2" }, { input: "2" }])
  })

  test("the input of a tool must match its parameters", async () => {
    const tools = {
      globalTools: [
        {
          type: "FunctionTool",
          id: "save",
          parameters: {
            type: "object",
            properties: { amount: { type: "number" } },
            required: ["amount"],
          },
        },
      ],
    }
    const nodes = [node("FunctionNode", "order"), node("ToolNode", "store", { tool: "save" })]
    const chart = graph([["START", "order", "store"]], nodes, {}, tools)
    const saved: unknown[] = []
    const save: HostFunction = (_, args) => void saved.push(args)
    const fits = await playBoth(chart, withCode({}, { save, order: () => ({ amount: 3 }) }))
    const breaks = await playBoth(chart, withCode({}, { save, order: () => ({ amount: "three" }) }))
    expect(fits.result.status).toBe("completed")
    expect(breaks.result).toMatchObject({
      status: "failed",
      error: {
        code: "schema_violated",
        agent: "store",
        message: expect.stringContaining("amount"),
      },
    })
    expect(saved).toEqual([{ amount: 3 }, { amount: 3 }])
  })

  test("other nodes continue while a node waits for a person", async () => {
    const chart = graph(
      [["START", ["ask", "work"], "end"]],
      [
        { type: "HumanAgent", name: "ask", prompt: "Well?" },
        llm("work"),
        node("FunctionNode", "end"),
      ],
    )
    const played = await playBoth(
      chart,
      withCode(answers({ work: ["w"] }), { end: (_, input) => input }),
    )
    expect(played.result.status).toBe("waiting")
    expect(
      played.events.some((event) => event.type === "agent.finished" && event.agent === "work"),
    ).toBe(true)
  })

  test("a graph can be resumed at every record of its journal", async () => {
    const edges = [["START", ["left", "right"], "sum", "check", { again: "left", ok: "publish" }]]
    const nodes = [
      llm("left", { outputKey: "l" }),
      llm("right", { outputKey: "r" }),
      node("JoinNode", "sum"),
      node("RouterNode", "check"),
      llm("publish"),
    ]
    const check: HostFunction = async ({ state, step }) => {
      const round = ((state.get("round") as number | undefined) ?? 0) + 1
      state.set("round", round)
      return step("decide", () => (round < 3 ? "again" : "ok"))
    }
    const services = withCode(answers({ left: ["L"], right: ["R"], publish: ["out"] }), { check })
    const played = await playBoth(graph(edges, nodes), services)
    expect(played.result).toMatchObject({
      status: "completed",
      text: "out",
      state: { l: "L", r: "R", round: 3 },
    })
    await resumeEverywhere(played, services)
  })
})

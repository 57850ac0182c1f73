import { describe, expect, test } from "vitest"
import { compile } from "agent-statecharts"
import {
  type Context,
  DEFAULT_ROUTE,
  Edge,
  FunctionNode,
  InMemoryRunner,
  isFinalResponse,
  JoinNode,
  LlmAgent,
  node,
  type NodeContext,
  programOf,
  SequentialAgent,
  START,
  stringifyContent,
  Workflow,
  type WorkflowEdge,
} from "agent-statecharts/adk"
import { createRunner } from "agent-statecharts/runtime"

const llm = (name: string): LlmAgent =>
  new LlmAgent({ name, model: "any", instruction: `You are ${name}.`, outputKey: `${name}_said` })

const says = {
  any: {
    call: async ({
      agent,
      messages,
    }: {
      readonly agent: string
      readonly messages: readonly { readonly content: unknown }[]
    }) => ({ content: `${agent}: ${String(messages.at(-1)?.content)}` }),
  },
}

async function run(agent: Workflow | SequentialAgent, prompt: string) {
  const { config, services } = programOf(agent)
  const { chart, diagnostics } = compile(config)
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
  if (chart === null) throw new Error("no chart")
  return {
    chart,
    result: await createRunner({ models: says, services }).start(chart, { prompt }).result,
  }
}

describe("a Workflow that is written in code", () => {
  test("a Workflow can contain agents, functions, joins, and a function that chooses a route", async () => {
    const rounds = (_input: string, context: Context): string => {
      const round = context.state.get<number>("round", 0) ?? 0
      context.state.set("round", round + 1)
      return round === 0 ? "again" : "done"
    }
    const check = new FunctionNode({ name: "check", routes: ["again", "done"], func: rounds })
    function total(_context: NodeContext, parts: Record<string, string>): string {
      return Object.keys(parts).sort().join(" and ")
    }
    const [north, south, last] = [llm("north"), llm("south"), llm("last")]
    const flow = new Workflow({
      name: "flow",
      edges: [
        [
          START,
          [north, south],
          new JoinNode({ name: "both" }),
          total,
          check,
          { again: [north, south], done: last },
        ],
      ],
      maxIterations: 3,
    })
    const { result } = await run(flow, "go")
    expect(result).toMatchObject({
      status: "completed",
      text: "last: north and south",
      state: { round: 2, north_said: "north: north and south" },
    })
    expect(flow.findAgent("total")).toBeInstanceOf(FunctionNode)
    expect(north.parentAgent).toBe(flow)
  })

  test("a Workflow accepts single edges, can be a sub-agent, and names its functions in the chart", async () => {
    const [first, good, bad] = [llm("first"), llm("good"), llm("bad")]
    const sort = (context: NodeContext, input: string): string => {
      context.route = input.includes("fine") ? "yes" : "no"
      return input
    }
    const flow = new Workflow({
      name: "flow",
      edges: [
        { from: START, to: first },
        { from: first, to: sort },
        { from: sort, routes: { yes: good }, default: bad },
      ],
    })
    const { result, chart } = await run(
      new SequentialAgent({ name: "line", subAgents: [flow, llm("after")] }),
      "all fine",
    )
    expect(result.state).toHaveProperty("good_said")
    expect(result.state).not.toHaveProperty("bad_said")
    expect(JSON.stringify(chart)).toContain('"sort.func"')
  })

  test("the compiler reports joins that may never run", () => {
    const codes = (waits: boolean) => {
      const node = (name: string) => new FunctionNode(name, () => name)
      const [review, both] = [node("review"), new JoinNode({ name: "both" })]
      const edges: WorkflowEdge[] = [
        [START, node("sort"), { big: review, [DEFAULT_ROUTE]: node("skip") }],
        [START, node("always"), both],
        ...(waits ? [[review, both] as const] : []),
      ]
      const { diagnostics } = compile(new Workflow({ name: "flow", edges }))
      return diagnostics.map(({ code, agent }) => `${code} ${agent}`)
    }
    expect([codes(true), codes(false)]).toEqual([["join_may_wait both"], []])
  })

  test("a Workflow runs in an InMemoryRunner", async () => {
    const upper = (_context: NodeContext, input: string): string => input.toUpperCase()
    const runner = new InMemoryRunner({
      agent: new Workflow({ name: "flow", edges: [[START, upper, llm("echo")]] }),
      appName: "flow",
      models: says,
    })
    const { id } = await runner.sessionService.createSession({ appName: "flow", userId: "u" })
    const said: string[] = []
    for await (const event of runner.runAsync({
      userId: "u",
      sessionId: id,
      newMessage: { role: "user", parts: [{ text: "hello" }] },
    })) {
      if (isFinalResponse(event)) said.push(stringifyContent(event))
    }
    expect(said).toEqual(["HELLO", "echo: HELLO"])
  })

  const one = (_context: NodeContext): string => "1"
  const two = (_context: NodeContext): string => "2"
  const three = (_context: NodeContext): string => "3"
  const edges = (...list: WorkflowEdge[]) => ({ name: "flow", edges: list })
  test.each([
    ["no edge from START", edges([one, two])],
    ["not reachable", edges([START, one], [two, three])],
    ["incoming edge of START", edges([START, one, START])],
    ["routed edge from START", edges([START, { a: one }])],
    ["unconditional cycle", edges([START, one, two, one])],
    ["empty routing map", edges([START, one, {}])],
    ["two routing maps in a row", edges([START, one, { a: two }, { b: three }])],
    ["same edge twice", edges([START, one, two], [one, two])],
    ["two nodes with the name", edges([START, one, node(two, { name: "one" })])],
    ["two default edges", edges([START, one, { [DEFAULT_ROUTE]: [two, three] }])],
    [
      "DEFAULT_ROUTE in a list of routes",
      edges([START, one], new Edge(one, two, ["a", DEFAULT_ROUTE])),
    ],
    ["positive integer", { ...edges([START, one]), maxConcurrency: 0 }],
    ["without a name", edges([START, () => "x"])],
  ])("the constructor of Workflow rejects an invalid config: %s", (reason, config) => {
    expect(() => new Workflow(config)).toThrow(
      expect.objectContaining({
        code: "definition_refused",
        message: expect.stringContaining(reason),
      }),
    )
  })

  test("a routing map without nodes is a type error", () => {
    // @ts-expect-error a route leads to nodes, not to names
    void (() => new Workflow({ name: "flow", edges: [[START, llm("a"), { yes: "b" }]] }))
  })
})

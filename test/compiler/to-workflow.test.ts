import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import { folderOf } from "../../src/compiler/1-parse/files/config-folder.js"
import { compile } from "../../src/compiler/compile.js"
import { toWorkflow } from "../../src/compiler/to-workflow.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { randomCases, seed } from "../support/random-cases.js"

type Fields = Readonly<Record<string, unknown>>

const llm = (name: string, fields: Fields = {}): Fields => ({
  name,
  model: "m",
  instruction: `You are ${name}.`,
  output_key: `${name}_said`,
  ...fields,
})

/** Runs a tree of agents, and the graph that is compiled from its converted files, with the same model. */
async function runBoth(config: Fields, services: Readonly<Record<string, HostFunction>> = {}) {
  const { files, functions, notes, diagnostics } = toWorkflow(config, { dialect: "adk" })
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
  const tree = compile(config, { dialect: "adk" })
  const graph = compile(folderOf(files ?? {}))
  expect(graph.diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
  const runs = []
  for (const chart of [tree.chart, graph.chart]) {
    const asked: string[] = []
    const counts = new Map<string, number>()
    const m = {
      call: async ({ agent }: { readonly agent: string }) => {
        asked.push(agent)
        counts.set(agent, (counts.get(agent) ?? 0) + 1)
        return { content: `${agent} ${counts.get(agent)}` }
      },
    }
    if (chart === null) throw new Error("no chart")
    const { status, state } = await createRunner({ models: { m }, services }).start(chart, {
      prompt: "go",
    }).result
    runs.push({
      status,
      asked,
      said: Object.fromEntries(Object.entries(state).filter(([key]) => key.endsWith("_said"))),
    })
  }
  return { tree: runs[0], graph: runs[1], files, functions, notes }
}

/** Random graphs with one run for each trigger: routes, defaults, cycles, joins and options. */
const triggeredGraph = fc
  .array(
    fc.record({
      kind: fc.constantFrom("FunctionNode", "JoinNode", "LlmAgent"),
      targets: fc.array(
        fc.record({ to: fc.nat(7), route: fc.constantFrom(null, "yes", "7", "default") }),
        { maxLength: 3 },
      ),
      timeout: fc.option(fc.integer({ min: 1, max: 9 })),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((nodes) => ({
    dialect: "adk",
    rootAgentId: "flow",
    agents: [
      {
        type: "Workflow",
        name: "flow",
        triggering: "each",
        edges: [
          ...nodes.map((_, index) => ["START", `n${index}`]),
          ...nodes.flatMap(({ kind, targets }, index) =>
            targets
              .filter(({ to }) => to < nodes.length && to !== index)
              .map(({ to, route }) => ({
                from: `n${index}`,
                to: `n${to}`,
                ...(route !== null && kind !== "JoinNode" && { route }),
              })),
          ),
        ],
        nodeOptions: Object.fromEntries(
          nodes.flatMap(({ timeout }, index) =>
            timeout === null ? [] : [[`n${index}`, { timeout }] as const],
          ),
        ),
      },
      ...nodes.map(({ kind }, index) => ({
        type: kind,
        name: `n${index}`,
        ...(kind === "LlmAgent" && { model: "m", instruction: "Go." }),
      })),
    ],
  }))

/** Returns the parts of a chart that differ after a conversion to files and back. */
function roundTrip(config: object): readonly string[] {
  const { files, diagnostics } = toWorkflow(config)
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
  const before = compile(config).chart
  const { chart: after, diagnostics: found } = compile(folderOf(files ?? {}))
  expect(found.filter(({ severity }) => severity === "error")).toEqual([])
  return (["root", "machines", "agents", "tools"] as const).filter(
    (part) => !isDeepStrictEqual(before?.[part], after?.[part]),
  )
}

describe("a tree of agents as a graph", () => {
  test("a parallel block over a list and one with early completion stay agents", async () => {
    const { tree, graph, files } = await runBoth({
      agent_class: "SequentialAgent",
      name: "report",
      sub_agents: [
        {
          agent_class: "ParallelAgent",
          name: "pages",
          for_each: { items: "['a', 'b']", as: "page", collect: { pages_said: "read_said" } },
          max_concurrency: 1,
          sub_agents: [llm("read")],
        },
        {
          agent_class: "ParallelAgent",
          name: "votes",
          completion: "first-success",
          max_concurrency: 1,
          sub_agents: [llm("first"), llm("second")],
        },
      ],
    })
    expect(graph).toEqual(tree)
    expect(tree).toMatchObject({
      asked: ["read", "read", "first"],
      said: { pages_said: ["read 1", "read 2"], first_said: "first 1" },
    })
    expect(Object.keys(files ?? {})).toEqual(["root_agent.yaml", "pages.yaml", "votes.yaml"])
  })

  test("a sequence becomes a chain, a parallel block becomes a fan-out with a join, and the result is the same", async () => {
    const research = {
      agent_class: "ParallelAgent",
      name: "research",
      sub_agents: [llm("north"), llm("south")],
    }
    const { tree, graph, files } = await runBoth({
      agent_class: "SequentialAgent",
      name: "report",
      sub_agents: [llm("plan"), research, llm("write")],
    })
    expect(graph).toEqual(tree)
    expect(files?.["root_agent.yaml"]).toMatchInlineSnapshot(`
      "agent_class: Workflow
      name: report
      edges:
        - - START
          - plan.yaml
          - north.yaml
          - research_join.yaml
          - write.yaml
        - - plan.yaml
          - south.yaml
          - research_join.yaml
      "
    `)
  })

  test("a loop becomes a separate graph with a router that the user must write", async () => {
    const rounds = {
      agent_class: "LoopAgent",
      name: "rounds",
      max_iterations: 2,
      sub_agents: [llm("draft"), llm("review")],
    }
    const goesOn: HostFunction = ({ state }) =>
      state.get("review_said") === "review 2" ? "done" : "again"
    const config = {
      agent_class: "SequentialAgent",
      name: "line",
      sub_agents: [rounds, llm("publish")],
    }
    const { tree, graph, functions, notes } = await runBoth(config, {
      "routers.rounds_goes_on": goesOn,
    })
    expect(graph).toEqual(tree)
    expect(functions).toEqual({
      "routers.rounds_goes_on":
        'returns "done" if it has been called 2 times, including this call, else "again"',
    })
    expect(notes.join("\n")).toContain('An agent that escalates ended the loop "rounds"')
  })

  test("an agent with a condition becomes the target of a router", async () => {
    const config = {
      agent_class: "SequentialAgent",
      name: "line",
      sub_agents: [
        llm("first"),
        llm("maybe", { when: "session_state.get('first_said') == 'no'" }),
        llm("last"),
      ],
    }
    const { tree, graph, functions } = await runBoth(config, {
      "routers.maybe_runs": ({ state }) => (state.get("first_said") === "no" ? "run" : "skip"),
    })
    expect(graph).toEqual(tree)
    expect(graph?.asked).toEqual(["first", "last"])
    expect(functions["routers.maybe_runs"]).toContain("session_state.get('first_said') == 'no'")
  })

  test("a handoff team with an agent tool, and a custom agent, become one node each", async () => {
    const team = llm("desk", {
      sub_agents: [llm("billing"), llm("support")],
      tools: [{ name: "AgentTool", args: { agent: llm("expert") } }],
    })
    const { files } = toWorkflow(
      {
        agent_class: "SequentialAgent",
        name: "line",
        sub_agents: [team, { agent_class: "my.Flow", name: "flow", sub_agents: [llm("inner")] }],
      },
      { dialect: "adk" },
    )
    expect(Object.keys(files ?? {})).toEqual(["root_agent.yaml", "desk.yaml", "flow.yaml"])
    const { chart, diagnostics } = compile(folderOf(files ?? {}))
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    expect(Object.keys(chart?.agents ?? {}).sort()).toEqual([
      "billing",
      "desk",
      "expert",
      "inner",
      "support",
    ])
    expect(chart?.services).toMatchObject({ "my.Flow": { kind: "agent" } })
  })

  test("the notes list what a graph cannot express: container fields, HTTP tools, templates and history", () => {
    const config = {
      rootAgentId: "line",
      agents: [
        {
          type: "SequentialAgent",
          id: "line",
          outputKey: "all_said",
          subAgents: [{ agentId: "block" }],
        },
        {
          type: "ParallelAgent",
          id: "block",
          failurePolicy: "collect",
          maxConcurrency: 1,
          subAgents: [{ agentId: "a" }, { agentId: "b" }],
        },
        {
          type: "LlmAgent",
          id: "a",
          instructions: "Use {topic}.",
          tools: ["search"],
          httpConfig: { url: "http://a.test", method: "POST" },
        },
        {
          type: "LlmAgent",
          id: "b",
          instructions: "Write.",
          httpConfig: { url: "http://b.test", method: "POST" },
        },
      ],
      globalTools: [
        {
          type: "HttpTool",
          id: "search",
          httpConfig: { url: "http://search.test", method: "POST" },
        },
      ],
    }
    const { notes } = toWorkflow(config)
    for (const told of [
      '"all_said"',
      "collect",
      "at most 1",
      "http://search.test",
      "names in braces",
      "not the history",
    ])
      expect(notes.join("\n")).toContain(told)
  })

  test("a Workflow keeps its nodes, edges, triggering and options", () => {
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }
    const config = {
      dialect: "adk",
      rootAgentId: "flow",
      agents: [
        {
          type: "Workflow",
          name: "flow",
          description: "Sorts.",
          triggering: "each",
          maxConcurrency: 3,
          maxIterations: 40,
          beforeAgentCallback: "watch",
          edges: [
            ["START", ["sort", "inner"]],
            ["sort", { "2": "review", big: ["review", "fetch"], default: "both" }],
            ["review", "both"],
            ["fetch", "both"],
            ["inner", "both"],
          ],
          nodeOptions: {
            flow: { timeout: 60, stateSchema: schema },
            sort: {
              retryConfig: { maxAttempts: 3, initialDelay: 0.5, exceptions: ["TypeError"] },
              timeout: 1.5,
              waitForOutput: true,
              outputSchema: schema,
              returnsNodeResult: true,
            },
            review: {
              parallelWorker: true,
              maxParallelWorkers: 2,
              seesConversation: true,
              rerunOnResume: true,
              inputSchema: schema,
              beforeNodeCallbacks: ["watch"],
              afterNodeCallbacks: ["watch"],
            },
          },
        },
        { type: "FunctionNode", name: "sort", service: "code.sort" },
        { type: "LlmAgent", name: "review", model: "m", instruction: "Review." },
        { type: "ToolNode", name: "fetch", toolCode: "code.fetch" },
        {
          type: "Workflow",
          name: "inner",
          edges: [["START", "choose", { yes: "end", default: "choose" }]],
        },
        { type: "RouterNode", name: "choose" },
        { type: "JoinNode", name: "end" },
        { type: "JoinNode", name: "both" },
      ],
    }
    expect(roundTrip(config)).toEqual([])
    const { files } = toWorkflow(config)
    expect(Object.keys(files ?? {})).toEqual(["root_agent.yaml"])
    expect(files?.["root_agent.yaml"]).toContain("triggering: each")
  })

  test("random graphs with one run for each trigger compile to the same chart after a conversion", () => {
    fc.assert(
      fc.property(triggeredGraph, (config) => {
        expect(roundTrip(config)).toEqual([])
      }),
      { seed, numRuns: randomCases(200) },
    )
  })

  test("a Workflow inside a container is part of the new graph", () => {
    const flow = {
      agent_class: "Workflow",
      name: "flow",
      triggering: "each",
      edges: [["START", "one", "two"]],
      nodes: [llm("one"), llm("two")],
    }
    const { files, notes } = toWorkflow(
      { agent_class: "SequentialAgent", name: "line", sub_agents: [flow, llm("last")] },
      { dialect: "adk" },
    )
    expect(compile(folderOf(files ?? {})).diagnostics).toEqual([])
    expect(files?.["flow.yaml"]).toContain("triggering: each")
    expect(notes.join()).not.toContain("by hand")
  })

  test("a route to several agents leads to all of them", async () => {
    const { tree, graph } = await runBoth(
      {
        agent_class: "SequentialAgent",
        name: "line",
        sub_agents: [
          {
            agent_class: "ParallelAgent",
            name: "block",
            when: "1 == 1",
            sub_agents: [llm("a"), llm("b")],
          },
          llm("last"),
        ],
      },
      { "routers.block_runs": () => ({ route: "run" }) },
    )
    expect(graph).toEqual(tree)
    expect(tree?.asked).toEqual(["a", "b", "last"])
  })

  test("a config with errors has no graph", () => {
    expect(toWorkflow({ rootAgentId: "x", agents: [] })).toMatchObject({
      files: null,
      diagnostics: expect.arrayContaining([expect.objectContaining({ severity: "error" })]),
    })
  })
})

import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"

const llm = (name: string): object => ({ type: "LlmAgent", name, model: "m", instruction: "i" })

const graph = (edges: readonly unknown[], more: object = {}): object => ({
  type: "Workflow",
  name: "g",
  triggering: "each",
  edges,
  ...more,
})

const list = (name: string, agentId: string, maxItems: number): object => ({
  type: "ParallelAgent",
  name,
  subAgents: [{ agentId }],
  forEach: { items: "session_state['list']", maxItems },
})

test.each([
  {
    name: "a node runs once for each trigger",
    agents: [
      graph([
        ["START", ["a", "b"]],
        [["a", "b"], "c"],
      ]),
      llm("a"),
      llm("b"),
      llm("c"),
    ],
    most: 4,
    limitedBy: [],
  },
  {
    name: "a join runs once",
    agents: [
      graph([["START", ["a", "b"], "j", "c"]]),
      llm("a"),
      llm("b"),
      { type: "JoinNode", name: "j" },
      llm("c"),
    ],
    most: 3,
    limitedBy: [],
  },
  {
    name: "maxIterations limits the nodes of a cycle and the nodes after it",
    agents: [
      graph([["START", "a", "r"], { from: "r", routes: { again: "a" }, default: "c" }], {
        maxIterations: 4,
      }),
      llm("a"),
      { type: "RouterNode", name: "r" },
      llm("c"),
    ],
    most: 8,
    limitedBy: ["maxIterations"],
  },
  {
    name: "maxModelCalls limits a ParallelWorker, because its list has no maximum length",
    agents: [graph([["START", "a"]], { nodeOptions: { a: { parallelWorker: true } } }), llm("a")],
    most: 500,
    limitedBy: ["maxModelCalls"],
  },
  {
    name: "lists inside lists inside a node are multiplied",
    agents: [graph([["START", "p"]]), list("p", "q", 7), list("q", "a", 5), llm("a")],
    most: 35,
    limitedBy: ["maxItems"],
  },
  {
    name: "a list inside a loop is multiplied by its iterations",
    agents: [
      { type: "LoopAgent", name: "l", maxIterations: 2, subAgents: [{ agentId: "p" }] },
      list("p", "a", 7),
      llm("a"),
    ],
    most: 14,
    limitedBy: ["maxItems"],
  },
])("$name", ({ agents, most, limitedBy }) => {
  const [root] = agents as readonly { readonly name: string }[]
  const config = { rootAgentId: root?.name, initialUserInput: "go", agents }
  const { bounds } = analyzeChart(compileOrThrow(config, { dialect: "adk" }))
  expect(bounds.modelCalls).toMatchObject({ most, limitedBy })
})

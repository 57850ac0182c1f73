import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"

const agents = (id: string, dependencies: readonly string[]): object => ({
  id,
  type: "adk",
  dependencies,
  config: {
    rootAgentId: `${id}_line`,
    agents: [
      {
        type: "SequentialAgent",
        id: `${id}_line`,
        subAgents: [{ agentId: `${id}_a` }, { agentId: `${id}_b` }],
      },
      ...["a", "b"].map((name) => ({
        type: "LlmAgent",
        id: `${id}_${name}`,
        httpConfig: { url: `http://llm.test/${name}`, method: "POST" },
      })),
    ],
  },
})

const list = { id: "list", type: "http", http: { method: "GET", url: "http://http.test/list" } }

test("the bounds of a graph are the sum of the bounds of its nodes", () => {
  const chart = compileOrThrow({
    nodes: [list, agents("one", ["list"]), agents("two", ["list"])],
  }) as AgentChart
  const { bounds } = analyzeChart(chart)
  expect(bounds.modelCalls).toMatchObject({ most: 4, limitedBy: [] })
  expect(bounds.expected).toMatchObject({ modelCalls: 4, humanWaits: 0, assumes: [] })
  expect(bounds.modelCalls.path.map(({ path }) => path)).toEqual([
    "graph/one/one_line/one_a",
    "graph/one/one_line/one_b",
    "graph/two/two_line/two_a",
    "graph/two/two_line/two_b",
  ])
  expect(bounds.ceiling).toBe(1000)
})

test("a loop multiplies the bounds of its body by its items and attempts", () => {
  const chart = compileOrThrow({
    nodes: [
      list,
      {
        id: "each",
        type: "forEach",
        dependencies: ["list"],
        forEach: { items: "{{ results.list.data }}" },
        config: { childWorkflowConfig: { retry: { maximumAttempts: 3 } } },
      },
      agents("one", ["each"]),
      { id: "ask", type: "confirmation", dependencies: ["one"] },
      { id: "each_end", type: "endForEach", forEachId: "each", dependencies: ["ask"] },
    ],
  }) as AgentChart
  const { bounds } = analyzeChart(chart)
  expect(bounds.modelCalls).toMatchObject({ most: 60_000, limitedBy: ["items"] })
  expect(bounds.humanWaits).toMatchObject({ most: 30_000, limitedBy: ["items"] })
  expect(bounds.expected).toMatchObject({
    modelCalls: 2,
    humanWaits: 1,
    assumes: ["lists_have_one_item"],
  })
})

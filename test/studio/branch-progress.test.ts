import { describe, expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { NodeService } from "../../src/machines/contract/graphs/node-service.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { BranchCounter, describeBranches } from "../../src/serving/display/branch-progress.js"
import { chartOf, llm, loop, sequence } from "../support/workflow.js"

const http = (id: string, dependency: string): object => ({
  id,
  type: "http",
  dependencies: [dependency],
  http: { method: "GET", url: `http://http.test/${id}` },
})

const end = (id: string, of: string, dependency: string): object => ({
  id,
  type: "endForEach",
  forEachId: of,
  dependencies: [dependency],
})

/** The items are numbers. The node `odd` fails for odd items, and each item has a loop of its own. */
const graph = compileOrThrow({
  nodes: [
    {
      id: "all",
      type: "forEach",
      forEach: { items: "{{ context.items }}" },
      config: { continueOnError: true, concurrency: 1 },
    },
    http("odd", "all"),
    {
      id: "inner",
      type: "forEach",
      dependencies: ["odd"],
      forEach: { items: "{{ context.items }}" },
    },
    http("leaf", "inner"),
    end("inner_end", "inner", "leaf"),
    end("all_end", "all", "inner_end"),
  ],
  context: { items: [0, 1, 2, 3] },
}) as AgentChart

const node: NodeService = {
  async call({ node: id, task, scope }) {
    if (task.type === "fill") return scope.context["items"]
    const response = { data: null, statusCode: 200, headers: {} }
    const failure = { code: "node_failed", message: "odd", retryable: false } as const
    const isOdd = id === "odd" && Number(scope.row?.data) % 2 === 1
    return isOdd ? { response, failure } : { response }
  },
}

/** Executes a run, and returns its rows at the end and the texts that each row had during the run. */
async function rowsOf(chart: AgentChart) {
  const unused = { call: async () => ({ content: "done" }) }
  const runner = createRunner({ http: { model: unused, tool: unused, node } })
  const counter = new BranchCounter()
  const texts = new Map<string, string[]>()
  const run = runner.start(chart, {})
  run.events$.subscribe((event: RunEvent) => {
    if (counter.apply(event) === null) return
    for (const block of counter.blocks()) {
      const all = texts.get(block.path) ?? []
      const text = describeBranches(block)
      if (all.at(-1) !== text) texts.set(block.path, [...all, text])
    }
  })
  await run.result
  return { rows: counter.blocks().map((block) => [block.path, describeBranches(block)]), texts }
}

describe("the progress of loops", () => {
  test("the items of a loop share one row, and all loops inside its items share another row", async () => {
    const { rows, texts } = await rowsOf(graph)
    expect(rows).toEqual([
      ["graph/all", "4 of 4 items ended, 2 failed"],
      ["graph/all[*]/inner", "8 of 8 items ended"],
    ])
    // An item is counted when its last node has ended, not between two nodes.
    const [first, ...others] = texts.get("graph/all") ?? []
    expect(first).toBe("0 of 4 items ended")
    expect(others.at(-1)).toBe("4 of 4 items ended, 2 failed")
  })

  test("the iterations of a LoopAgent share one row", async () => {
    const chart = chartOf([
      sequence("line", ["rounds"]),
      loop("rounds", ["writer"], 3),
      llm("writer"),
    ])
    const { rows, texts } = await rowsOf(chart)
    expect(rows).toEqual([["line/rounds", "3 of 3 iterations ended"]])
    expect(texts.get("line/rounds")).toEqual([
      "1 iteration ended",
      "2 iterations ended",
      "3 iterations ended",
      "3 of 3 iterations ended",
    ])
  })
})

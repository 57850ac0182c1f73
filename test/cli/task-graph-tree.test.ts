import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { AgentRow } from "../../src/cli/progress/agent-tree.js"
import { AgentTree } from "../../src/cli/progress/agent-tree.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"

const config = readFileSync(
  new URL("../../examples/customer-enrichment/workflow.json", import.meta.url),
  "utf8",
)

const outline = ({ agent, progress, children }: AgentRow): unknown =>
  children.length === 0
    ? `${agent}: ${progress.status}`
    : { [`${agent}: ${progress.status}`]: children.map(outline) }

test("the live tree has the nodes of a graph, and one row for all children of a loop", () => {
  const tree = new AgentTree(compileOrThrow(config) as AgentChart)
  let seq = 0
  const tell = (event: object): void =>
    // The tree reads only these fields.
    tree.update({ seq: seq++, at: 1000 + seq, runId: "r", branch: null, ...event } as RunEvent)
  const company = (index: number) => ({
    agent: "company",
    node: "company",
    path: `graph/each_customer[${index}]/company`,
  })
  tell({ type: "run.started", agent: "graph", path: "", prompt: null, chart: "x" })
  tell({
    type: "node.started",
    agent: "each_customer",
    node: "each_customer",
    path: "graph/each_customer",
  })
  tell({ type: "node.started", ...company(0) })
  tell({ type: "node.started", ...company(1) })
  tell({ type: "node.finished", state: "executed", ...company(0) })
  expect(tree.roots.map(outline)).toEqual([
    {
      "graph: working": [
        "get_customers: idle",
        {
          "each_customer: working": ["company: working", "no_company: idle", "assess: idle"],
        },
        "each_customer_end: idle",
        "approve_update: idle",
        "update_crm: idle",
      ],
    },
  ])
  tell({ type: "node.finished", state: "executed_and_failed", ...company(1) })
  tell({
    type: "node.skipped",
    agent: "assess",
    node: "assess",
    reason: "failed dependency",
    path: "graph/each_customer[1]/assess",
  })
  expect(outline(tree.roots[0]?.children[1] as AgentRow)).toEqual({
    "each_customer: working": ["company: failed", "no_company: idle", "assess: skipped"],
  })
})

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { ChartTaskGraph } from "../../machines/contract/graphs/chart-task-graph.js"
import type { ChartTransitionPart, Covered, StoredRun } from "../../runtime/index.js"
import { runAt } from "../../runtime/index.js"

/** Records which outcomes (executed, failed or skipped) the nodes of a task graph had in runs. */
export interface NodeCoverage {
  add(run: StoredRun): void
  coverage(): Covered<ChartTransitionPart>
}

/**
 * Creates a `NodeCoverage` for the task graph of a chart. If the chart has no task graph, the
 * coverage is empty.
 */
export function collectNodeCoverage(chart: AgentChart): NodeCoverage {
  const graph = taskGraphOf(chart)
  const parts = (graph === null ? [] : nodeEnds(graph)).flatMap(({ id, ends }) =>
    ends.map((to): ChartTransitionPart => ({
      machine: chart.root,
      from: id,
      cause: "node",
      guard: null,
      to,
      isExceptional: false,
    })),
  )
  const reached = new Set<string>()
  return {
    add(run) {
      if (graph === null || run.header.chart.fingerprint !== chart.fingerprint) return
      for (const event of runAt(run).events)
        if (event.type === "node.skipped") reached.add(`${event.node} skipped`)
        else if (event.type === "node.finished" && event.state !== undefined)
          reached.add(`${event.agent} ${event.state}`)
    },
    coverage() {
      const missing = parts.filter(({ from, to }) => !reached.has(`${from} ${to}`))
      return { reached: parts.length - missing.length, of: parts.length, missing }
    },
  }
}

interface NodeEnds {
  readonly id: string
  readonly ends: readonly string[]
}

/**
 * Returns the possible outcomes of each node in a task graph, such as `executed` and `skipped`.
 * Includes the nodes in loops. Omits outcomes that end the whole run.
 */
function nodeEnds({ nodes }: ChartTaskGraph): readonly NodeEnds[] {
  const targets = new Set(nodes.flatMap(({ continueTo = [] }) => continueTo.map(({ to }) => to)))
  const guarded = new Set(nodes.flatMap(({ protects = [] }) => protects))
  const known = new Map<number, boolean>()
  // A node is skipped if it was not chosen, or after a node that was skipped or may fail.
  const mayBeSkipped = (index: number): boolean => {
    const earlier = known.get(index)
    if (earlier !== undefined) return earlier
    const { dependencies = [], protects } = nodes[index] ?? {}
    const may =
      protects !== undefined ||
      targets.has(index) ||
      dependencies.some((dependency) => guarded.has(dependency) || mayBeSkipped(dependency))
    known.set(index, may)
    return may
  }
  return nodes.flatMap(({ id, type, loop }, index) => [
    {
      id,
      ends: [
        "executed",
        ...(type === "endForEach" ? [] : ["executed_and_failed"]),
        ...(mayBeSkipped(index) ? ["skipped"] : []),
      ],
    },
    ...(loop === undefined ? [] : nodeEnds(loop.body)),
  ])
}

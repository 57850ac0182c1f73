import type { ChartTaskGraph } from "../../machines/contract/graphs/chart-task-graph.js"
import type { Bound, Bounds } from "./bounds.js"
import type { Expected } from "./expected.js"

/** Maximum number of items that a loop in a workflow graph can process. */
const maxItems = 10_000

/**
 * A node of a workflow graph that can call models or ask a person. The node is an adk node or a
 * confirmation. `times` is the maximum number of runs of the node in one run of the graph.
 */
interface CountedTask {
  readonly id: string
  /** Path of the node. `[*]` marks the items of a loop, for example `graph/each[*]/report`. */
  readonly path: string
  readonly times: number
  readonly isInLoop: boolean
  /**
   * The upper bounds, for example for model calls, of the agent workflow that an adk node runs.
   * null means that the node is a confirmation, which asks a person.
   */
  readonly bounds: Bounds | null
}

/**
 * Returns upper bounds for the runs of a workflow graph. Each node outside loops runs once. A node
 * in a loop runs once for each item. For the chart key of an agent workflow, `boundsOfChart`
 * returns the bounds of this workflow.
 */
export function boundsOfGraph(
  graph: ChartTaskGraph,
  name: string,
  boundsOfChart: (chart: string) => Bounds,
): Bounds {
  const tasks = tasksIn(graph, name, 1, boundsOfChart)
  const flows = tasks.filter(({ bounds }) => bounds !== null)
  const confirmations = tasks.filter(({ bounds }) => bounds === null)
  const waits = combined(flows, (bounds) => bounds.humanWaits)
  const asked = confirmations.reduce((sum, { times }) => sum + times, 0)
  const costs = flows.every(({ bounds }) => bounds?.cost !== undefined)
  return {
    expected: expectedOfGraph(flows, confirmations),
    modelCalls: combined(flows, (bounds) => bounds.modelCalls),
    toolRounds: combined(flows, (bounds) => bounds.toolRounds),
    humanWaits: {
      ...waits,
      most: waits.most === null ? null : waits.most + asked,
      ofChart: waits.ofChart === null ? null : waits.ofChart + asked,
      limitedBy: [...new Set([...waits.limitedBy, ...itemsLimit(confirmations)])].sort(),
      path: [
        ...waits.path,
        ...confirmations.map(({ id, path, times }) => ({ agent: id, path, times, each: 1 })),
      ],
    },
    ...(costs && flows.length > 0 && { cost: combined(flows, ({ cost }) => cost) }),
    ceiling: flows.reduce((sum, { times, bounds }) => sum + times * (bounds?.ceiling ?? 0), 0),
  }
}

function tasksIn(
  { nodes }: ChartTaskGraph,
  path: string,
  times: number,
  boundsOfChart: (chart: string) => Bounds,
): readonly CountedTask[] {
  return nodes.flatMap(({ id, type, workflow, loop }): readonly CountedTask[] => {
    const own = { id, path: `${path}/${id}`, times, isInLoop: times > 1 }
    if (workflow !== undefined) return [{ ...own, bounds: boundsOfChart(workflow.chart) }]
    if (type === "confirmation") return [{ ...own, bounds: null }]
    if (loop === undefined) return []
    const attempts = loop.retry?.maximumAttempts ?? 1
    return tasksIn(loop.body, `${own.path}[*]`, times * maxItems * attempts, boundsOfChart)
  })
}

const itemsLimit = (tasks: readonly CountedTask[]): readonly string[] =>
  tasks.some(({ isInLoop }) => isInLoop) ? ["items"] : []

/**
 * Adds up the upper bounds for one quantity, for example model calls, over the adk nodes of a
 * workflow graph. `boundIn` selects the bound for this quantity.
 */
function combined(
  tasks: readonly CountedTask[],
  boundIn: (bounds: Bounds) => Bound | undefined,
): Bound {
  const parts = tasks.flatMap((task) => {
    const bound = task.bounds === null ? undefined : boundIn(task.bounds)
    return bound === undefined || bound.most === 0 ? [] : [{ task, bound }]
  })
  const sum = (amount: (bound: Bound) => number | null): number | null =>
    parts.reduce<number | null>((total, { task, bound }) => {
      const each = amount(bound)
      return total === null || each === null ? null : total + each * task.times
    }, 0)
  return {
    most: sum(({ most }) => most),
    ofChart: sum(({ ofChart }) => ofChart),
    limitedBy: [
      ...new Set([
        ...parts.flatMap(({ bound }) => bound.limitedBy),
        ...itemsLimit(parts.map(({ task }) => task)),
      ]),
    ].sort(),
    path: parts.flatMap(({ task, bound }) =>
      bound.path.map((step) => ({
        ...step,
        path: `${task.path}/${step.path}`,
        times: step.times === null ? null : step.times * task.times,
      })),
    ),
  }
}

/**
 * Returns the counts of model calls, tool rounds and requests to people in a simple graph run. In
 * this run, each loop processes one item, and nothing is repeated.
 */
function expectedOfGraph(
  flows: readonly CountedTask[],
  confirmations: readonly CountedTask[],
): Expected {
  const sum = (count: (expected: Expected) => number | null): number | null =>
    flows.reduce<number | null>((total, { bounds }) => {
      const each = bounds === null ? 0 : count(bounds.expected)
      return total === null || each === null ? null : total + each
    }, 0)
  const waits = sum(({ humanWaits }) => humanWaits)
  const assumes = new Set(flows.flatMap(({ bounds }) => bounds?.expected.assumes ?? []))
  if ([...flows, ...confirmations].some(({ isInLoop }) => isInLoop))
    assumes.add("lists_have_one_item")
  return {
    modelCalls: sum(({ modelCalls }) => modelCalls),
    toolRounds: sum(({ toolRounds }) => toolRounds),
    humanWaits: waits === null ? null : waits + confirmations.length,
    assumes: [...assumes].sort(),
  }
}

import type { ChartTaskGraph } from "../contract/graphs/chart-task-graph.js"
import type { TaskState } from "./task-contract.js"

/** The edges of a graph by node, computed once for each run of the graph. */
export interface TaskEdges {
  readonly dependents: readonly (readonly number[])[]
  /** For each node, the error_boundary nodes that protect it. */
  readonly boundaries: readonly (readonly number[])[]
  /** For each node, the error_boundary that catches its failure; null if there is none. */
  readonly catchers: readonly (number | null)[]
}

/** The progress of one node. */
export interface TaskProgress {
  readonly state: TaskState | "running"
  /** Number of nodes that must still end or be skipped before this node starts. */
  readonly awaited: number
  /** Whether a dependency failed, or was skipped because of a failure. */
  readonly hasFailedDependency: boolean
  /** Set if the `continueTo` of a dependency names this node but did not choose it. */
  readonly isNotChosen: boolean
  /** Whether a dependency was executed. */
  readonly hasExecutedDependency: boolean
  /** Whether the node waits for a person. */
  readonly isPaused: boolean
}

const edges = new WeakMap<ChartTaskGraph, TaskEdges>()

/** Returns the edges of a task graph by node. The result is cached for each graph object. */
export function taskEdges(graph: ChartTaskGraph): TaskEdges {
  const known = edges.get(graph)
  if (known !== undefined) return known
  const { nodes } = graph
  const dependents = nodes.map((): number[] => [])
  const boundaries = nodes.map((): number[] => [])
  const catchers = nodes.map((): number | null => null)
  const sizeOf = (boundary: number): number => nodes[boundary]?.protects?.length ?? 0
  for (const [index, { dependencies, protects = [] }] of nodes.entries()) {
    for (const dependency of dependencies) dependents[dependency]?.push(index)
    for (const node of protects) {
      boundaries[node]?.push(index)
      const other = catchers[node] ?? null
      if (other === null || sizeOf(index) < sizeOf(other)) catchers[node] = index
    }
  }
  const found = { dependents, boundaries, catchers }
  edges.set(graph, found)
  return found
}

/** Returns the progress of all nodes before the first node starts. */
export const initialProgress = ({ nodes }: ChartTaskGraph): readonly TaskProgress[] =>
  nodes.map(({ dependencies, protects }) => ({
    state: "pending",
    awaited: (protects ?? dependencies).length,
    hasFailedDependency: false,
    isNotChosen: false,
    hasExecutedDependency: false,
    isPaused: false,
  }))

/**
 * Returns the reason why a node is skipped, or null if the node runs. Called after each dependency
 * of the node has ended or was skipped.
 */
export function whySkipped(
  task: ChartTaskGraph["nodes"][number],
  { hasFailedDependency, isNotChosen, hasExecutedDependency }: TaskProgress,
): string | null {
  if (hasFailedDependency) return failedDependency
  if (isNotChosen) return "not chosen"
  if (task.protects !== undefined) return "no failure"
  return task.dependencies.length > 0 && !hasExecutedDependency ? "skipped dependencies" : null
}

export const failedDependency = "failed dependency"

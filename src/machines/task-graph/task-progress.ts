import type { ChartTaskGraph } from "../contract/graphs/chart-task-graph.js"
import type { TaskState } from "./task-contract.js"

/**
 * The edges of a Graph Compose graph. Each field is a list with one entry for each node, by node
 * index. They are computed once for each graph object.
 */
export interface TaskEdges {
  readonly dependents: readonly (readonly number[])[]
  /** The error_boundary nodes that protect each node, by node index. */
  readonly boundaries: readonly (readonly number[])[]
  /**
   * The error_boundary node that handles the failure of each node, by node index. null if there is
   * none.
   */
  readonly catchers: readonly (number | null)[]
}

/** The progress of one node of a Graph Compose graph. */
export interface TaskProgress {
  readonly state: TaskState | "running"
  /** Number of nodes that must still end or be skipped before this node starts. */
  readonly awaited: number
  /** Whether a dependency of the node failed, or was skipped because of a failure. */
  readonly hasFailedDependency: boolean
  /**
   * Whether a dependency has a `continueTo` that contains this node, but all conditions for this
   * node are false.
   */
  readonly isNotChosen: boolean
  /** Whether a dependency of the node was executed. */
  readonly hasExecutedDependency: boolean
  /** Whether the node is running and waits for a person. */
  readonly isPaused: boolean
}

const edges = new WeakMap<ChartTaskGraph, TaskEdges>()

/**
 * Returns the edges of a Graph Compose graph for each node. The result is cached for each graph
 * object.
 */
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

/** Returns the progress of all nodes of a graph before the first node starts. */
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
 * Returns the reason why a node is skipped, such as `not chosen`. Returns null if the node runs.
 * Call it after all dependencies of the node have ended or were skipped.
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

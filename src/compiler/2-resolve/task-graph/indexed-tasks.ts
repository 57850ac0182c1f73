import type { LocatedId } from "../../1-parse/config/named.js"
import type { TaskConfig, TaskGraphConfig } from "../../1-parse/task-graph/task-config.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"

/** The nodes of a Graph Compose graph by id, and the edges between them. */
export interface TaskIndex {
  readonly byId: ReadonlyMap<string, IndexedTask>
  /**
   * Maps the id of each node to the ids of the nodes that depend on it. Error boundaries are not
   * included.
   */
  readonly dependents: ReadonlyMap<string, readonly string[]>
  /** Maps the id of each node to the ids of the error boundaries that handle its failures. */
  readonly boundaries: ReadonlyMap<string, readonly string[]>
}

/** A graph node with a valid and unique id. `position` is its index in the list of nodes. */
export type IndexedTask = TaskConfig & { readonly id: string; readonly position: number }

/**
 * Returns the references of a graph node to other nodes. For an error boundary, these are the nodes
 * whose failures it handles. For any other node, these are its dependencies.
 */
export const referencesOf = (task: TaskConfig): readonly LocatedId[] =>
  (task.type === "error_boundary" ? task.protectedNodes : task.dependencies) ?? []

/** Indexes the nodes of a graph by id. Reports duplicate ids and references to unknown nodes. */
export function indexTasks({ tasks }: TaskGraphConfig): TaskIndex {
  const byId = new Map<string, IndexedTask>()
  for (const [position, task] of tasks.entries()) {
    const { id } = task
    if (id === null) continue
    if (byId.has(id))
      report(task.fieldAt("id"), {
        code: "duplicate_id",
        problem: `is a duplicate: another node also has the id ${describeValue(id)}`,
        fix: "Give each node its own id.",
      })
    else byId.set(id, { ...task, id, position })
  }
  const dependents = new Map<string, string[]>()
  const boundaries = new Map<string, string[]>()
  for (const task of byId.values()) {
    const edges = task.type === "error_boundary" ? boundaries : dependents
    for (const { id } of knownReferences(task, byId)) {
      const known = edges.get(id)
      if (known === undefined) edges.set(id, [task.id])
      else known.push(task.id)
    }
  }
  return { byId, dependents, boundaries }
}

/**
 * Returns the nodes that a node refers to, without duplicates. Reports an error for each reference
 * to an unknown node.
 */
function knownReferences(
  task: IndexedTask,
  byId: ReadonlyMap<string, IndexedTask>,
): readonly IndexedTask[] {
  const found = new Map<string, IndexedTask>()
  for (const named of referencesOf(task)) {
    const known = byId.get(named.id)
    if (known === undefined) refuseUnknown(named, task, byId)
    else found.set(named.id, known)
  }
  return [...found.values()]
}

function refuseUnknown(
  { id, location }: LocatedId,
  task: IndexedTask,
  byId: ReadonlyMap<string, IndexedTask>,
): void {
  const suggestion = task.location.parser.suggest(id, [...byId.keys()])
  report(location, {
    code: "unknown_node",
    problem: `is ${describeValue(id)}, which is not a node of the graph`,
    fix: `${didYouMean(suggestion)}Write the id of a node, or remove the entry.`,
  })
}

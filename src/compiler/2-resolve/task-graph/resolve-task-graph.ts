import type { ParsedAdkTask, TaskGraphConfig } from "../../1-parse/task-graph/task-config.js"
import { report } from "../../diagnostics/config-location.js"
import type { WorkflowTree } from "../agent-node.js"
import type { Loop } from "./loop-bodies.js"
import { findLoops, innermostLoops, refuseDeepLoops } from "./loop-bodies.js"
import { refuseBoundaries } from "./refuse-boundaries.js"
import { refuseTaskCycles } from "./refuse-task-cycles.js"
import type { IndexedTask, TaskIndex } from "./indexed-tasks.js"
import { indexTasks, referencesOf } from "./indexed-tasks.js"
import type { TaskGraphTree, TaskLevel, TaskNode } from "./task-tree.js"

/** A resolved Graph Compose graph, and the index of its nodes for the analysis. */
export interface ResolvedTaskGraph {
  readonly tree: TaskGraphTree
  readonly index: TaskIndex
  readonly innermost: ReadonlyMap<string, Loop>
}

/**
 * Resolves the references between the nodes of a Graph Compose graph. `readWorkflow` resolves the
 * workflow of an adk node. Returns null if the graph has an error, which is already reported.
 */
export function resolveTaskGraph(
  config: TaskGraphConfig,
  readWorkflow: (task: ParsedAdkTask) => WorkflowTree | null,
): ResolvedTaskGraph | null {
  const index = indexTasks(config)
  const workflows = new Map<string, WorkflowTree | null>()
  for (const task of index.byId.values())
    if (task.type === "adk") workflows.set(task.id, readWorkflow(task))
  refuseContinueTo(index)
  refuseSourceDependencies(index)
  if (refuseTaskCycles(index)) return null
  const loops = findLoops(index)
  const innermost = innermostLoops(loops)
  refuseDeepLoops(loops, innermost)
  refuseBoundaries(index, innermost)
  if (config.location.parser.report.hasErrors()) return null
  const levels = new Map<string | null, IndexedTask[]>()
  for (const task of index.byId.values()) {
    const owner = innermost.get(task.id)?.start.id ?? null
    const level = levels.get(owner)
    if (level === undefined) levels.set(owner, [task])
    else level.push(task)
  }
  const build = (owner: string | null): TaskLevel => buildLevel(owner, levels, workflows, build)
  const tree: TaskGraphTree = {
    id: "graph",
    level: build(null),
    context: config.context,
    webhookUrl: config.webhookUrl,
    timeoutMs: config.timeoutMs,
  }
  return { tree, index, innermost }
}

/**
 * Returns the nodes of one level. A level contains the nodes outside all loops, or the nodes
 * directly inside one loop. `owner` is the id of the loop's first node, or null. Nodes only depend
 * on nodes of the same level. Therefore an endForEach node depends on its forEach node instead of
 * the nodes in the loop.
 */
function buildLevel(
  owner: string | null,
  levels: ReadonlyMap<string | null, readonly IndexedTask[]>,
  workflows: ReadonlyMap<string, WorkflowTree | null>,
  build: (owner: string) => TaskLevel,
): TaskLevel {
  const tasks = levels.get(owner) ?? []
  const positions = new Map(tasks.map(({ id }, index) => [id, index]))
  const indexesOf = (ids: readonly string[]): readonly number[] => [
    ...new Set(ids.flatMap((id) => positions.get(id) ?? [])),
  ]
  return tasks.map((config): TaskNode => {
    const references = referencesOf(config).map(({ id }) => id)
    const isBoundary = config.type === "error_boundary"
    const start = config.type === "endForEach" ? config.forEachId?.id : undefined
    const isLoop = config.type === "forEach" || config.type === "source_iterator"
    const continueTo = config.type === "http" ? (config.conditions?.continueTo ?? []) : []
    return {
      config,
      dependencies: isBoundary
        ? []
        : indexesOf(start === undefined ? references : [start, ...references]),
      protects: isBoundary ? indexesOf(references) : [],
      continueTo: continueTo.flatMap(({ to, when }) => {
        const target = positions.get(to.id)
        return target === undefined ? [] : [{ to: target, when }]
      }),
      body: isLoop ? build(config.id) : null,
      workflow: workflows.get(config.id) ?? null,
    }
  })
}

/**
 * Reports an error for each entry of a node's `continueTo` whose target does not depend on this
 * node.
 */
function refuseContinueTo({ byId, dependents }: TaskIndex): void {
  for (const task of byId.values()) {
    const entries = task.type === "http" ? (task.conditions?.continueTo ?? []) : []
    for (const { to } of entries) {
      if (dependents.get(task.id)?.includes(to.id) === true) continue
      report(to.location, {
        code: "unknown_node",
        problem: byId.has(to.id)
          ? `is "${to.id}", a node that does not depend on "${task.id}"`
          : `is "${to.id}", which is not a node of the graph`,
        fix: `Write the id of a node whose dependencies contain "${task.id}".`,
      })
    }
  }
}

function refuseSourceDependencies({ byId }: TaskIndex): void {
  for (const task of byId.values()) {
    if (task.type !== "source_iterator" || (task.dependencies ?? []).length === 0) continue
    report(task.fieldAt("dependencies"), {
      code: "bad_value",
      problem: "must be empty, because a source_iterator starts with the run",
      fix: "Remove the dependencies. To loop over the result of a node, use a forEach node.",
    })
  }
}

import { configLimits } from "../../document/config-limits.js"
import type { LocatedId } from "../../1-parse/config/named.js"
import type {
  ParsedLoopEndTask,
  ParsedLoopTask,
  ParsedSourceTask,
} from "../../1-parse/task-graph/task-config.js"
import { report } from "../../diagnostics/config-location.js"
import type { IndexedTask, TaskIndex } from "./indexed-tasks.js"
import { referencesOf } from "./indexed-tasks.js"

type Placed<Task> = Task & { readonly id: string; readonly position: number }

/**
 * A loop in a Graph Compose graph. It consists of its first node, its last node, and the nodes
 * between them (`body`).
 */
export interface Loop {
  readonly start: Placed<ParsedLoopTask> | Placed<ParsedSourceTask>
  /**
   * The endForEach node that ends the loop. Null for a loop that starts with a source_iterator,
   * which needs no end.
   */
  readonly end: Placed<ParsedLoopEndTask> | null
  /** Ids of all nodes in the loop, including the nodes of inner loops. */
  readonly body: ReadonlySet<string>
}

/**
 * Returns the loops of a Graph Compose graph. Reports loops whose start, end or body is invalid.
 */
export function findLoops(index: TaskIndex): readonly Loop[] {
  const ends = pairEnds(index)
  const loops: Loop[] = []
  for (const task of index.byId.values()) {
    if (task.type === "source_iterator")
      loops.push({ start: task, end: null, body: bodyOf(task.id, null, index) })
    if (task.type !== "forEach") continue
    const end = ends.get(task.id) ?? null
    if (end === null)
      report(task.location, {
        code: "broken_loop",
        problem: "has no endForEach node",
        fix: `Add a node {"type": "endForEach", "forEachId": "${task.id}"} that depends on the last nodes of the loop.`,
      })
    else loops.push({ start: task, end, body: bodyOf(task.id, end.id, index) })
  }
  for (const loop of loops) refuseBrokenBody(loop, loops, index)
  refuseSharedBodies(loops, index)
  return loops
}

/**
 * Maps the id of each forEach node to the endForEach node that ends its loop. Reports endForEach
 * nodes that do not match exactly one forEach node.
 */
function pairEnds({ byId }: TaskIndex): ReadonlyMap<string, Placed<ParsedLoopEndTask>> {
  const ends = new Map<string, Placed<ParsedLoopEndTask>>()
  for (const task of byId.values()) {
    if (task.type !== "endForEach" || task.forEachId === null) continue
    const { id } = task.forEachId
    const other = ends.get(id)
    if (byId.get(id)?.type !== "forEach")
      report(task.fieldAt("forEachId"), {
        code: "broken_loop",
        problem: `is "${id}", which is not a forEach node of the graph`,
        fix: "Write the id of the forEach node whose loop ends at this endForEach node.",
      })
    else if (other !== undefined)
      report(task.fieldAt("forEachId"), {
        code: "broken_loop",
        problem: `is "${id}", which already ends at the endForEach node "${other.id}"`,
        fix: "Remove one of the two endForEach nodes, because each forEach node has exactly one.",
      })
    else ends.set(id, task)
  }
  return ends
}

/**
 * Returns the ids of the nodes in a loop. A node is in the loop if it depends on the start of the
 * loop, directly or through other nodes. Dependencies through the end of the loop do not count. An
 * error boundary is in the same loop as the nodes that it protects.
 */
function bodyOf(
  start: string,
  end: string | null,
  { dependents, boundaries }: TaskIndex,
): ReadonlySet<string> {
  const body = new Set<string>()
  const open = [...(dependents.get(start) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === end || id === start || body.has(id)) continue
    body.add(id)
    open.push(...(dependents.get(id) ?? []), ...(boundaries.get(id) ?? []))
  }
  return body
}

/**
 * Returns the name of a loop in diagnostics. It consists of the type and the id of the loop's first
 * node, such as `forEach "users"`.
 */
const nameOf = ({ start }: Loop): string => `${start.type} "${start.id}"`

function refuseBrokenBody(loop: Loop, loops: readonly Loop[], { byId }: TaskIndex): void {
  const { start, end, body } = loop
  if (end !== null && !referencesOf(end).some(({ id }) => body.has(id)))
    report(end.fieldAt("dependencies"), {
      code: "broken_loop",
      problem: `contains no node of the body of ${nameOf(loop)}`,
      fix: `Add the last nodes between "${start.id}" and "${end.id}" to the dependencies of the endForEach node.`,
    })
  for (const inner of loops) {
    if (inner.end === null || inner === loop) continue
    if (body.has(inner.start.id) === body.has(inner.end.id)) continue
    report(inner.end.location, {
      code: "broken_loop",
      problem: `ends ${nameOf(inner)} outside of the body of ${nameOf(loop)}, so that the bodies of the two loops cross`,
      fix: `Change the dependencies so that the inner loop ends before the outer loop ends.`,
    })
  }
  for (const id of body) {
    const task = byId.get(id)
    if (task === undefined || task.type === "error_boundary") continue
    for (const reference of referencesOf(task)) refuseOutsideReference(task, reference, loop, byId)
  }
}

/**
 * Reports an error if a node in a loop depends on a node outside the loop. The start of the loop is
 * allowed.
 */
function refuseOutsideReference(
  task: IndexedTask,
  { id, location }: LocatedId,
  loop: Loop,
  byId: TaskIndex["byId"],
): void {
  if (id === loop.start.id || loop.body.has(id) || !byId.has(id)) return
  report(location, {
    code: "broken_loop",
    problem: `is "${id}", which is not in the body of ${nameOf(loop)}, although the node "${task.id}" also depends on that body`,
    fix: `Let "${task.id}" depend either only on nodes in the body of the loop, or only on ${loop.end === null ? "nodes outside the body" : `"${loop.end.id}" and other nodes outside the body`}. A body can read the results of all nodes before its forEach.`,
  })
}

function refuseSharedBodies(loops: readonly Loop[], { byId }: TaskIndex): void {
  const sources = loops.filter(({ end }) => end === null)
  const owners = new Map<string, Loop>()
  for (const loop of sources)
    for (const id of loop.body) {
      const other = owners.get(id)
      if (other === undefined) owners.set(id, loop)
      else
        report(byId.get(id)?.location ?? loop.start.location, {
          code: "broken_loop",
          problem: `depends on two source_iterator nodes, "${other.start.id}" and "${loop.start.id}"`,
          fix: "Change the dependencies, so that each node depends on only one source_iterator node.",
        })
    }
}

/**
 * Maps the id of each node inside a loop to the innermost loop that contains it. Nodes outside of
 * loops are not included.
 */
export function innermostLoops(loops: readonly Loop[]): ReadonlyMap<string, Loop> {
  const innermost = new Map<string, Loop>()
  for (const loop of loops.toSorted((one, other) => other.body.size - one.body.size))
    for (const id of loop.body) innermost.set(id, loop)
  return innermost
}

/** Reports an error for each loop that is nested too deeply in other loops. */
export function refuseDeepLoops(
  loops: readonly Loop[],
  innermost: ReadonlyMap<string, Loop>,
): void {
  for (const loop of loops) {
    let depth = 1
    for (
      let outer = innermost.get(loop.start.id);
      outer !== undefined;
      outer = innermost.get(outer.start.id)
    )
      if (++depth > configLimits.loopDepth) break
    if (depth > configLimits.loopDepth)
      report(loop.start.location, {
        code: "nesting_too_deep",
        problem: `is inside more than ${configLimits.loopDepth - 1} other loops`,
        fix: "Reduce the number of loops that are nested inside each other.",
      })
  }
}

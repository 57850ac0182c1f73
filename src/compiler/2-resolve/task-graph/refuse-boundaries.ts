import { report } from "../../diagnostics/config-location.js"
import type { Loop } from "./loop-bodies.js"
import type { TaskIndex } from "./indexed-tasks.js"

const protectable = ["http", "adk", "confirmation", "destination", "forEach", "source_iterator"]

/**
 * Reports error boundaries without protected nodes, error boundaries that protect nodes of
 * different loops, and protected nodes of unsupported types, such as other error boundaries.
 */
export function refuseBoundaries({ byId }: TaskIndex, innermost: ReadonlyMap<string, Loop>): void {
  for (const task of byId.values()) {
    if (task.type !== "error_boundary" || task.protectedNodes === null) continue
    const location = task.fieldAt("protectedNodes")
    if (task.protectedNodes.length === 0)
      report(location, {
        code: "bad_boundary",
        problem: "is an empty list",
        fix: "Add the ids of the nodes whose failures this error boundary handles.",
      })
    for (const { id, location: entryAt } of task.protectedNodes) {
      const type = byId.get(id)?.type
      if (type !== undefined && !protectable.includes(type))
        report(entryAt, {
          code: "bad_boundary",
          problem: `is "${id}", a node of type ${type}, which a boundary cannot protect`,
          fix: `Remove the node from the list. An error boundary can only protect nodes of the types ${protectable.join(", ")}.`,
        })
    }
    const loops = new Set(
      task.protectedNodes
        .filter(({ id }) => byId.has(id))
        .map(({ id }) => innermost.get(id)?.start.id ?? null),
    )
    if (loops.size > 1)
      report(location, {
        code: "bad_boundary",
        problem: "contains nodes of different loops, or nodes inside and outside of a loop",
        fix: "Use one error boundary for each loop, and one for the nodes outside of loops.",
      })
  }
}

import { report } from "../../diagnostics/config-location.js"
import { depthFirst } from "../depth-first.js"
import type { IndexedTask, TaskIndex } from "./indexed-tasks.js"
import { referencesOf } from "./indexed-tasks.js"

const longestPath = 20

/** Reports every cycle of dependencies between graph nodes. Returns whether there is a cycle. */
export function refuseTaskCycles({ byId }: TaskIndex): boolean {
  const { cycles, closing } = depthFirst(byId.values(), (task) =>
    referencesOf(task).flatMap(({ id, location }) => {
      const to = byId.get(id)
      return to === undefined ? [] : [{ to, at: location }]
    }),
  )
  for (const cycle of cycles) {
    const last = cycle.at(-1)
    if (last === undefined) continue
    const names = [...cycle.map(({ from }) => from.id), cycle[0]?.from.id ?? ""]
    const path =
      names.length <= longestPath ? names : [...names.slice(0, longestPath), "...", names.at(-1)]
    report(last.edge.at, {
      code: "dependency_cycle",
      problem: `makes a cycle of dependencies: ${path.join(" -> ")}`,
      fix: fixFor(last.from),
    })
  }
  return closing.size > 0
}

const fixFor = ({ type }: IndexedTask): string =>
  type === "error_boundary"
    ? "A node that the boundary protects cannot depend on the boundary. Remove one of these references."
    : "Remove one of these dependencies. To repeat a request, use the condition pollUntil."

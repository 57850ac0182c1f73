import type { ResolvedTaskGraph } from "../../2-resolve/task-graph/resolve-task-graph.js"
import { referencesOf } from "../../2-resolve/task-graph/indexed-tasks.js"
import type { TaskIndex } from "../../2-resolve/task-graph/indexed-tasks.js"
import { report } from "../../diagnostics/config-location.js"
import { warnOfUnreadableResults } from "./unreadable-results.js"

/**
 * Reports warnings for a Graph Compose graph that can run, but probably does not run as intended.
 */
export function analyzeTaskGraph(resolved: ResolvedTaskGraph): void {
  warnOfFieldsWithoutEffect(resolved.index)
  warnOfUnconnectedNodes(resolved.index)
  warnOfUnreadableResults(resolved)
}

function warnOfFieldsWithoutEffect({ byId }: TaskIndex): void {
  for (const task of byId.values()) {
    if (task.type === "forEach") {
      if (task.config?.maxFailures != null && !task.config.continueOnError)
        report(task.fieldAt("config"), {
          code: "no_effect",
          severity: "warning",
          problem: "has maxFailures, which has no effect without continueOnError",
          fix: 'Add "continueOnError": true, or remove maxFailures.',
        })
      if ((task.dependencies ?? []).length === 0)
        report(task.location, {
          code: "unconnected_node",
          severity: "warning",
          problem: "has no dependencies, so its items can only come from the context",
          fix: "Add the node whose result contains the items to the dependencies of this node.",
        })
    }
    if ((task.type === "adk" || task.type === "confirmation") && task.activityConfig?.setsRetries)
      report(task.fieldAt("activityConfig"), {
        code: "no_effect",
        severity: "warning",
        problem: `has a retryPolicy, which has no effect on ${task.type === "adk" ? "an adk" : "a confirmation"} node`,
        fix:
          task.type === "adk"
            ? "Move the retryPolicy to the activityConfig of the agents."
            : "Remove the retryPolicy.",
      })
  }
}

/**
 * Reports warnings for nodes without any edge, and for graphs that consist of several groups of
 * nodes without edges between the groups.
 */
function warnOfUnconnectedNodes({ byId }: TaskIndex): void {
  if (byId.size < 2) return
  const neighbours = new Map<string, string[]>([...byId.keys()].map((id) => [id, []]))
  for (const task of byId.values())
    for (const { id } of referencesOf(task)) {
      neighbours.get(task.id)?.push(id)
      neighbours.get(id)?.push(task.id)
    }
  const parts: string[][] = []
  const seen = new Set<string>()
  for (const start of byId.keys()) {
    if (seen.has(start)) continue
    const part: string[] = []
    const open = [start]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      part.push(id)
      open.push(...(neighbours.get(id) ?? []))
    }
    parts.push(part)
  }
  if (parts.length === 1) return
  for (const part of parts) {
    const [first = ""] = part
    const task = byId.get(first)
    if (task === undefined) continue
    if (part.length === 1)
      report(task.location, {
        code: "unconnected_node",
        severity: "warning",
        problem: "is not connected to any other node",
        fix: "Add this node to the dependencies of another node, or remove the node. The node runs even if it is not connected.",
      })
    else if (part !== parts[0])
      report(task.location, {
        code: "unconnected_node",
        severity: "warning",
        problem: "belongs to a part of the graph that is not connected to the rest",
        fix: "Connect the parts with dependencies, or write two graphs. Both parts run even if they are not connected.",
      })
  }
}

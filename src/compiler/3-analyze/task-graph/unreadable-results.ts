import { keysReadFrom } from "../../../template/parse/condition-rules.js"
import { parseTemplate } from "../../../template/parse/parse-template.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import type { ResolvedTaskGraph } from "../../2-resolve/task-graph/resolve-task-graph.js"
import type { IndexedTask, TaskIndex } from "../../2-resolve/task-graph/indexed-tasks.js"
import { referencesOf } from "../../2-resolve/task-graph/indexed-tasks.js"
import { report } from "../../diagnostics/config-location.js"

/** Names in `results` that the templates of an error boundary can read in addition to node ids. */
const boundaryNames = ["error", "nodeId"]

/**
 * Reports templates that read a node's result that may be missing. The node may be unknown, may not
 * have finished, or may be in a loop that does not contain the template.
 */
export function warnOfUnreadableResults({ index, innermost }: ResolvedTaskGraph): void {
  const earlier = ancestorsIn(index)
  for (const task of index.byId.values()) {
    for (const id of resultsReadBy(task)) {
      if (id === task.id || (task.type === "error_boundary" && boundaryNames.includes(id))) continue
      const read = index.byId.get(id)
      const loop = innermost.get(id)
      if (read === undefined)
        warn(task, `reads results.${id}, but the graph has no node "${id}"`, {
          fix: `${didYouMean(task.location.parser.suggest(id, [...index.byId.keys()]))}Write the id of an earlier node.`,
        })
      else if (loop !== undefined && !loop.body.has(task.id))
        warn(
          task,
          `reads results.${id}, but "${id}" is in the body of the loop "${loop.start.id}"`,
          {
            fix: `To read the results of the loop, write results.${loop.start.id}.data.items instead.`,
          },
        )
      else if (!earlier(task.id).has(id))
        warn(task, `reads results.${id}, but does not depend on "${id}"`, {
          fix: `Add "${id}" to the dependencies of the node.`,
        })
    }
  }
}

const warn = (task: IndexedTask, problem: string, { fix }: { readonly fix: string }): null =>
  report(task.location, { code: "unreadable_result", severity: "warning", problem, fix })

/**
 * Returns the node ids that the templates and conditions of a node read, such as `pay` in
 * `results.pay.data`.
 */
function resultsReadBy(task: IndexedTask): readonly string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.includes("{{") && value.includes("results"))
        for (const id of keysReadFrom("results", parseTemplate(value))) found.add(id)
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit)
  }
  if ("http" in task) visit(task.http)
  if (task.type === "http") visit([task.outputMapping, task.conditions])
  if (task.type === "forEach") visit(task.forEach)
  if (task.type === "adk") templatesInWorkflow(task.config, visit)
  return [...found]
}

/**
 * The fields of a workflow definition that may contain `{{ }}` templates. Instructions cannot
 * contain them.
 */
const templateFields = ["initialUserInput", "initial_user_input", "state"]
const endpointFields = ["httpConfig", "http_config"]

/**
 * Calls `visit` with the values that may contain templates in the workflow definition of an adk
 * node.
 */
function templatesInWorkflow(config: unknown, visit: (value: unknown) => void): void {
  if (!isJsonObject(config)) return
  for (const field of templateFields) visit(config[field])
  const open: unknown[] = [config]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue
    for (const [field, inner] of Object.entries(value))
      if (endpointFields.includes(field)) visit(inner)
      else if (!templateFields.includes(field)) open.push(inner)
  }
}

/**
 * Returns a function that returns the ids of all nodes on which a node depends, directly or through
 * other nodes.
 */
function ancestorsIn({ byId }: TaskIndex): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (id) => {
    const ready = known.get(id)
    if (ready !== undefined) return ready
    const found = new Set<string>()
    const open = [id]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const task = byId.get(next)
      for (const reference of task === undefined ? [] : referencesOf(task))
        if (!found.has(reference.id)) {
          found.add(reference.id)
          open.push(reference.id)
        }
    }
    known.set(id, found)
    return found
  }
}

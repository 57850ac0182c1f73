import { requiredProperties, sampleFromSchema } from "../../analysis/worst-case/schema-sample.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartTask, ChartTaskGraph } from "../../machines/contract/graphs/chart-task-graph.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { Choice } from "./choices.js"

/** Returns all nodes of a task graph, including the nodes in its loops. */
const tasksOf = ({ nodes }: ChartTaskGraph): readonly ChartTask[] =>
  nodes.flatMap((node) => [node, ...(node.loop === undefined ? [] : tasksOf(node.loop.body))])

/**
 * A comparison of a response value with a literal, such as `status = 'done'`, in a condition of a
 * task graph. `node` is the node whose response contains the value.
 */
interface Comparison {
  readonly node: string
  /** Path of the compared value in the response data, for example `["order", "status"]`. */
  readonly path: readonly string[]
  /** Response value that makes the comparison true. Each value in `others` makes it false. */
  readonly satisfying: unknown
  readonly others: readonly unknown[]
  readonly kind: "pollUntil" | "terminateWhen" | "continueTo"
}

const maxBodies = 12

/**
 * Returns the responses of each node of a task graph that the search for test scenarios tries, by
 * node id. The responses make conditions true or false, and contain lists over which loops iterate.
 */
export function nodeChoices(chart: AgentChart): ReadonlyMap<string, readonly Choice<JsonObject>[]> {
  const graph = taskGraphOf(chart)
  const tasks = graph === null ? [] : tasksOf(graph)
  const comparisons = tasks.flatMap((task) => comparisonsIn(task, tasks))
  const lists = tasks.flatMap(({ loop }) => listIn(loop?.items ?? ""))
  return new Map(
    tasks.map((task) => {
      const own = comparisons.filter(({ node }) => node === task.id)
      const ownLists = lists.filter(({ node }) => node === task.id)
      return [task.id, choicesOf(task, own, ownLists)]
    }),
  )
}

function choicesOf(
  task: ChartTask,
  comparisons: readonly Comparison[],
  lists: readonly ListPath[],
): readonly Choice<JsonObject>[] {
  const usual = [
    ...lists.map(({ path }) => [path, [{}, {}]] as const),
    ...comparisons.map(
      ({ path, satisfying, others, kind }) =>
        [path, kind === "terminateWhen" ? others[0] : satisfying] as const,
    ),
  ]
  const bodyWith = (changes: readonly (readonly [readonly string[], unknown])[]): unknown =>
    [...usual, ...changes].reduce<unknown>(
      (body, [path, value]) => withValue(body, path, value),
      emptyBody(task),
    )
  const changed = [
    ...lists.flatMap(({ path }) => [[], "not a list"].map((value) => [path, value] as const)),
    ...comparisons
      .filter(({ kind }) => kind !== "pollUntil")
      .flatMap(({ path, satisfying, others }) =>
        [satisfying, ...others].map((value) => [path, value] as const),
      ),
  ]
  const first = JSON.stringify(bodyWith([]))
  const bodies = [...new Set([first, ...changed.map((one) => JSON.stringify(bodyWith([one])))])]
  return [
    { what: "responds", entry: { json: JSON.parse(first) } },
    ...bodies
      .slice(1, maxBodies)
      .map((json) => ({ what: `responds ${json}`, entry: { json: JSON.parse(json) } })),
    { what: "fails", entry: { httpStatus: 400 } },
  ]
}

/** Returns a minimal sample response body that matches the output schema of a node. */
function emptyBody({ type, validation, outputMapping }: ChartTask): unknown {
  if (type === "source_iterator") return { items: [{}, {}] }
  const schema = outputMapping === undefined ? validation?.output : undefined
  if (schema === undefined) return {}
  return isJsonObject(schema["properties"]) ? requiredProperties(schema) : sampleFromSchema(schema)
}

/** Returns a copy of a response body in which the value at a path is replaced. */
function withValue(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const object = isJsonObject(body) ? body : {}
  return { ...object, [key]: withValue(object[key], rest, value) }
}

interface ListPath {
  readonly node: string
  readonly path: readonly string[]
}

/**
 * Returns the node and the response path from which a loop reads its list of items. The array has
 * at most one element. It is empty if `items`, the template of the loop, does not read a response.
 */
function listIn(items: string): readonly ListPath[] {
  const [, node, path = ""] = /results\.(\w+)\.data((?:\.\w+)*)/.exec(items) ?? []
  return node === undefined ? [] : [{ node, path: path.split(".").filter(Boolean) }]
}

const comparison =
  /(\$count\()?([A-Za-z_][\w.]*)\)?\s*(!=|<=|>=|=|<|>)\s*('[^']*'|"[^"]*"|-?\d+(?:\.\d+)?|true|false)/g

function comparisonsIn(task: ChartTask, tasks: readonly ChartTask[]): readonly Comparison[] {
  const { pollUntil = [], terminateWhen = [], continueTo = [] } = task
  const comparisons = (kind: Comparison["kind"], texts: readonly string[]): readonly Comparison[] =>
    texts.flatMap((text) =>
      [...text.matchAll(comparison)].flatMap(
        ([, counts, name = "", operator = "", literal = ""]) => {
          const field = responseFieldOf(name, task, tasks)
          if (field === null) return []
          const values = valuesFor(operator, literalOf(literal))
          const [satisfying, ...others] =
            counts === undefined ? values : values.map((count) => listOf(Number(count)))
          return [{ ...field, kind, satisfying, others }]
        },
      ),
    )
  return [
    ...comparisons("pollUntil", pollUntil),
    ...comparisons("terminateWhen", terminateWhen),
    ...comparisons(
      "continueTo",
      continueTo.map(({ when }) => when),
    ),
  ]
}

const listOf = (length: number): readonly object[] =>
  Array.from({ length: Math.max(0, Math.min(length, 5)) }, () => ({}))

/** Names in conditions that do not refer to fields of a response, such as `statusCode`. */
const otherNames = new Set(["context", "row", "rows", "statusCode", "headers"])

/**
 * Returns the node and the response path to which a name in a condition refers. For example,
 * `results.search.data.total` refers to the path `["total"]` in the response of the node `search`.
 * Returns null if the name does not refer to a response.
 */
function responseFieldOf(
  name: string,
  task: ChartTask,
  tasks: readonly ChartTask[],
): Pick<Comparison, "node" | "path"> | null {
  const [first = "", ...rest] = name.split(".")
  if (otherNames.has(first)) return null
  if (first === "results") {
    const [id, data, ...path] = rest
    const read = tasks.find((one) => one.id === id)
    return read === undefined || data !== "data"
      ? null
      : { node: read.id, path: before(read, path) }
  }
  return { node: task.id, path: before(task, first === "data" ? rest : [first, ...rest]) }
}

/**
 * Converts the path of a value in a mapped response to its path in the original response.
 * `outputMapping` defines which fields of the original response are renamed.
 */
function before({ outputMapping }: ChartTask, path: readonly string[]): readonly string[] {
  const [first = "", ...rest] = path
  const template = outputMapping?.[first]
  const source =
    typeof template === "string" ? /^\{\{\s*data\.([\w.]+)\s*\}\}$/.exec(template) : null
  return source === null ? path : [...(source[1] ?? "").split("."), ...rest]
}

const literalOf = (text: string): unknown =>
  /^['"]/.test(text) ? text.slice(1, -1) : JSON.parse(text)

/**
 * Returns sample values for a comparison with a literal. The first value makes the comparison true.
 * All other values make it false.
 */
function valuesFor(operator: string, literal: unknown): readonly unknown[] {
  if (typeof literal === "number") {
    const [equal, more, less] = [literal, literal + 1, literal - 1]
    switch (operator) {
      case "=":
        return [equal, more, less]
      case "!=":
        return [more, equal]
      case ">":
        return [more, equal, less]
      case ">=":
        return [equal, less]
      case "<":
        return [less, equal, more]
      default:
        return [equal, more]
    }
  }
  const other = typeof literal === "boolean" ? !literal : `not ${String(literal)}`
  return operator === "!=" ? [other, literal] : [literal, other]
}

import { referencesOf } from "../../2-resolve/task-graph/indexed-tasks.js"
import type { TaskConfig, TaskGraphConfig } from "../../1-parse/task-graph/task-config.js"
import { dataIn, spellingIn } from "../layout/data-in.js"
import type { ConfigDocument } from "../../document/config-document.js"
import { childPointer, pointerKeys } from "../../document/json-pointer.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { NodeEdge, TextEdit } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { requireNoCrossing } from "../layout/anchors.js"
import type { Layout } from "../layout/layout.js"
import { itemInsertion, parentOf, spliceValue, valueAt } from "../layout/splice-at.js"
import { removeValue, setValue } from "../layout/update-value.js"

/** The name by which edit commands refer to a Graph Compose graph itself. */
export const taskGraphName = "graph"

/** A node of a Graph Compose graph that has a valid id. */
export type NamedTask = TaskConfig & { readonly id: string }

/**
 * A parsed entry of a node's `continueTo`. `to` is the id of the next node, `when` is the
 * condition, and `pointer` is the JSON pointer to the entry.
 */
interface ChoiceEntry {
  readonly to: string
  readonly when: string
  readonly pointer: string
}

/** A parsed Graph Compose graph, with the layout of the text that contains it. */
interface GraphParts {
  readonly graph: TaskGraphConfig
  readonly document: ConfigDocument
  readonly layout: Layout
  /** The workflows in the `adk` nodes of the graph. */
  readonly workflows: readonly WorkflowText[]
}

/**
 * The nodes of a Graph Compose graph in a text, and the edits that a command has made to the text
 * so far.
 */
export class TaskGraphText {
  readonly layout: Layout
  readonly workflows: readonly WorkflowText[]
  readonly tasks: readonly NamedTask[]
  readonly #graph: TaskGraphConfig
  readonly #document: ConfigDocument
  readonly #edits: TextEdit[] = []

  constructor({ graph, document, layout, workflows }: GraphParts) {
    this.#graph = graph
    this.#document = document
    this.layout = layout
    this.workflows = workflows
    this.tasks = graph.tasks.filter((task): task is NamedTask => task.id !== null)
  }

  has(id: string): boolean {
    return this.tasks.some((task) => task.id === id)
  }

  /** Returns the node with an id. Throws EditRefused if there is no such node, or more than one. */
  get(id: string): NamedTask {
    const [task, other] = this.tasks.filter((each) => each.id === id)
    if (task === undefined)
      throw new EditRefused(
        "agent_unknown",
        `The graph has no node "${id}".`,
        "Choose a node of the graph.",
      )
    if (other !== undefined)
      throw new EditRefused(
        "agent_ambiguous",
        `The graph has several nodes with the id "${id}".`,
        "Rename one of them in the text.",
      )
    return task
  }

  /** Returns the parsed entries of a node's `continueTo`. Only http nodes can have such entries. */
  choicesOf(task: NamedTask): readonly ChoiceEntry[] {
    const entries = task.type === "http" ? (task.conditions?.continueTo ?? []) : []
    return entries.map(({ to, when }) => ({
      to: to.id,
      when,
      pointer: parentOf(to.location.pointer),
    }))
  }

  /**
   * Returns the edges of the graph. A node has an edge from each of its dependencies. An error
   * boundary has an edge from each node that it protects. Conditions in `continueTo` of the source
   * node for the target node become routes of the edge.
   */
  edges(): readonly NodeEdge[] {
    const byId = new Map(this.tasks.map((task) => [task.id, task]))
    return this.tasks.flatMap((task) =>
      [...new Set(referencesOf(task).map(({ id }) => id))].flatMap((from): readonly NodeEdge[] => {
        const before = byId.get(from)
        const chosen = before === undefined ? [] : this.choicesOf(before)
        const routes = chosen.flatMap(({ to, when }) => (to === task.id ? [when] : []))
        return (routes.length === 0 ? [null] : [...new Set(routes)]).map((route) => ({
          from,
          to: task.id,
          route,
        }))
      }),
    )
  }

  /** Returns the index of a node in the graph's list of nodes. */
  indexOf({ location }: NamedTask): number {
    return Number(pointerKeys(location.pointer).at(-1))
  }

  get nodesPointer(): string {
    const [task] = this.#graph.tasks
    return task === undefined
      ? childPointer(this.#graph.location.pointer, "nodes")
      : parentOf(task.location.pointer)
  }

  /** Converts a camelCase field name to the naming convention of the text. */
  spellingOf(key: string): string {
    return this.#graph.location.parser.naming.name(key)
  }

  /**
   * Returns the JSON pointer of a field of the object at `pointer`. If the object already has the
   * field in camelCase or snake_case, this spelling is used. Otherwise, the name follows the naming
   * convention of the text.
   */
  fieldIn(pointer: string, key: string): string {
    const object = this.dataAt(pointer)
    const written = spellingIn(object, key)
    const isWritten = typeof object === "object" && object !== null && written in object
    return childPointer(pointer, isWritten ? written : this.spellingOf(key))
  }

  /**
   * Returns the JSON pointer of a value inside the object or list at `pointer`. An existing key is
   * used as it is written in the text, in camelCase or snake_case. A new key is used unchanged.
   */
  stepIn(pointer: string, step: string | number): string {
    return childPointer(pointer, spellingIn(this.dataAt(pointer), step))
  }

  dataAt(pointer: string): unknown {
    return dataIn(this.#document.value, pointer)
  }

  /**
   * Sets the value at a JSON pointer. If `value` is undefined, removes the value and the enclosing
   * objects that become empty.
   */
  set(pointer: string, value: unknown, task: NamedTask): void {
    const options = {
      layout: this.layout,
      dataAt: (pointer: string) => this.dataAt(pointer),
      before: "",
    }
    const root = task.location.pointer
    this.#edits.push(
      ...(value === undefined
        ? removeValue(pointer, root, options)
        : setValue(pointer, value, options)),
    )
  }

  /**
   * Changes the list at a JSON pointer. Removes the entries with the indexes `removed`. Inserts new
   * values before the entry with the index `index`, or by default at the end. If the list is
   * missing or empty and `task` is set, a new list is written into this node.
   */
  changeList(
    pointer: string,
    {
      removed = [],
      inserted = [],
      index = Number.POSITIVE_INFINITY,
    }: {
      readonly removed?: readonly number[]
      readonly inserted?: readonly unknown[]
      readonly index?: number
    },
    task: NamedTask | null,
  ): void {
    if (removed.length === 0 && inserted.length === 0) return
    const found = valueAt(this.layout, pointer)
    if (task !== null && (found === null || found.node.entries.length === 0))
      return this.set(pointer, inserted, task)
    if (found === null) return
    const { node } = found
    for (const each of removed) requireNoCrossing(node, each, this.layout)
    const position = Math.min(index, node.entries.length)
    this.#edits.push(
      ...spliceValue(
        found,
        {
          removed: new Set(removed),
          inserted: inserted.map((value) => itemInsertion(position, value, this.layout)),
        },
        this.layout,
      ),
    )
  }

  /** Returns all edits to the text so far. They are not sorted. */
  edits(): readonly TextEdit[] {
    return this.#edits
  }
}

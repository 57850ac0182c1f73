import type { AgentConfig } from "../1-parse/config/agent-config.js"
import type { Dialect } from "../agent-types/dialects.js"
import type { ValueSchema } from "../agent-types/value-types.js"
import { pointerKeys } from "../document/json-pointer.js"
import { configSchema } from "../schema/config-schema.js"
import type { SchemaObject } from "../schema/object-schema.js"
import { plainText, valueSchemaOf } from "../schema/object-schema.js"
import { addableTypes, descriptionOf, fieldsIn } from "./agents/agent-fields.js"
import type { IndexedAgent } from "./agents/named-agents.js"
import type { WorkflowText } from "./agents/workflow-text.js"
import { canHaveSubAgents, isContainer } from "./agents/workflow-text.js"
import { graphEdge } from "./commands/graph-edges.js"
import type { EditRefusal, NodeEdge } from "./contract/edit-command.js"
import { EditRefused } from "./contract/edit-command.js"
import type { EditedWorkflow } from "./edit-workflow.js"
import { openConfig, workflowWith } from "./edit-workflow.js"
import { valueAt } from "./layout/splice-at.js"
import { editableFields } from "./task-graph/task-fields.js"
import type { NamedTask, TaskGraphText } from "./task-graph/task-graph-text.js"
import { taskGraphName } from "./task-graph/task-graph-text.js"
import { addableTasks } from "./task-graph/task-nodes.js"

/**
 * An agent of a workflow, with its position in the workflow. In a Graph Compose graph, the graph
 * itself and each of its nodes also have this form.
 */
export interface EditableAgent {
  readonly name: string
  /** Type of the agent, or `graph` for a Graph Compose graph. Null if the type is unknown. */
  readonly type: string | null
  /** Name of the parent agent. Null if the agent has no parent or several parents. */
  readonly parent: string | null
  /** Index in the sub-agents of `parent`. It is -1 for graph nodes and if `parent` is null. */
  readonly index: number
  readonly children: readonly string[]
  /** Whether the agent is a SequentialAgent, ParallelAgent or LoopAgent. */
  readonly isContainer: boolean
  /** The edges between the nodes of a graph. Empty for agents of other types. */
  readonly edges: readonly NodeEdge[]
  /** Whether sub-agents can be added to the agent. */
  readonly canHaveSubAgents: boolean
  /** Whether the agent is the root of its workflow. Each `adk` node of a graph has its own root. */
  readonly isRoot: boolean
  /** Path of the other file that defines the agent. Null if the edited text defines it. */
  readonly file: string | null
}

/**
 * The agents of a workflow and the types of agents that can be added, or the reason why the
 * workflow cannot be edited (`refused`).
 */
export type EditableWorkflow =
  | {
      readonly refused: null
      readonly dialect: Dialect
      readonly types: readonly string[]
      /** The types of nodes that can be added to a Graph Compose graph. */
      readonly nodeTypes: readonly string[]
      readonly agents: readonly EditableAgent[]
    }
  | { readonly refused: EditRefusal }

/** A field of an agent, with all data that a form needs to show and validate it. */
export interface AgentFormField {
  /** The key of the field, as the command `setField` expects it. */
  readonly key: string
  /** The name of the field in the edited text, or the name to use if the field is not set. */
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  /** JSON Schema of the value. It can refer to the `definitions` of the agent's form. */
  readonly schema: ValueSchema
  readonly default?: boolean | number | string
  /** The value in the edited text. Undefined if the text does not contain the field. */
  readonly value?: unknown
}

/** The fields of an agent with their values, or why the agent cannot be edited (`refused`). */
export type AgentForm =
  | {
      readonly refused: null
      readonly name: string
      readonly type: string
      readonly fields: readonly AgentFormField[]
      /** JSON Schemas by name, to which the schemas of the fields refer with `#/$defs/NAME`. */
      readonly definitions: Readonly<Record<string, ValueSchema>>
    }
  | { readonly refused: EditRefusal }

/** Returns the agents of a workflow in the order of the config, or why it cannot be edited. */
export const editableWorkflow = (workflow: EditedWorkflow): EditableWorkflow =>
  orRefusal(() => {
    const { workflows, graph } = openConfig(workflow)
    const dialect = workflows[0]?.parsed.dialect ?? "graph-compose"
    const agents = workflows.flatMap((config) =>
      config.index.agents().map((agent) => editableAgent(agent, config)),
    )
    return {
      refused: null,
      dialect,
      types: addableTypes(dialect),
      nodeTypes: addableTasks,
      agents: graph === null ? agents : withTasks(agents, graph),
    }
  })

/**
 * Adds a Graph Compose graph and its nodes to a list of agents. A node is not added if an agent has
 * the same id, such as the root agent of an adk node. The entry of the agent then represents both.
 */
function withTasks(
  agents: readonly EditableAgent[],
  graph: TaskGraphText,
): readonly EditableAgent[] {
  const names = new Set(agents.map(({ name }) => name))
  const common = { index: -1, isContainer: false, canHaveSubAgents: false, file: null } as const
  return [
    {
      ...common,
      name: taskGraphName,
      type: "graph",
      parent: null,
      children: graph.tasks.map(({ id }) => id),
      edges: graph.edges(),
      isRoot: true,
    },
    ...graph.tasks.flatMap(({ id, type }): readonly EditableAgent[] =>
      names.has(id)
        ? []
        : [
            {
              ...common,
              name: id,
              type,
              parent: taskGraphName,
              children: [],
              edges: [],
              isRoot: false,
            },
          ],
    ),
    ...agents.map((agent) =>
      agent.isRoot && graph.has(agent.name) ? { ...agent, parent: taskGraphName } : agent,
    ),
  ]
}

function editableAgent(agent: IndexedAgent, config: WorkflowText): EditableAgent {
  const { name, config: own, uses, children } = agent
  const [use, other] = uses
  const only = other === undefined ? use : undefined
  return {
    name,
    type: own.type,
    parent: only?.parent.name ?? null,
    index: only?.index ?? -1,
    children,
    isContainer: isContainer(agent),
    edges: own.type === "Workflow" ? own.edges.map(graphEdge) : [],
    canHaveSubAgents: canHaveSubAgents(agent),
    isRoot: name === config.index.rootName,
    file: config.isInDocument(own.location) ? null : own.location.document.file,
  }
}

/** Returns the fields of an agent with their values, or why the agent cannot be edited. */
export const agentForm = (workflow: EditedWorkflow, name: string): AgentForm =>
  orRefusal(() => {
    const opened = openConfig(workflow)
    const { graph, workflows } = opened
    if (graph !== null && !workflows.some(({ index }) => index.has(name)))
      return taskForm(graph.get(name), graph)
    const config = workflowWith(name, opened)
    const agent = config.index.get(name)
    config.requireHere(agent)
    const { dialect } = config.parsed
    const type = agent.config.type ?? ""
    const description = descriptionOf(type, dialect)
    if (description === undefined)
      throw new EditRefused(
        "type_unknown",
        `The agent "${name}" has an unknown type.`,
        "Change its type in the text.",
      )
    const editable = fieldsIn(description, dialect).filter(([key]) => !notInForm.has(key))
    const fields = formFields(agent.config, editable, dialect, config)
    return { refused: null, name, type, fields, definitions: definitionsOf(fields, dialect) }
  })

/** Returns the fields of a Graph Compose node that can be set, with their values in the text. */
function taskForm(task: NamedTask, graph: TaskGraphText): AgentForm {
  const { id: name, type } = task
  const dialect = "graph-compose"
  const editable = fieldsIn(editableFields(type), dialect)
  const fields = formFields(task, editable, dialect, graph)
  return { refused: null, name, type, fields, definitions: definitionsOf(fields, dialect) }
}

/** Keys of the fields that a form does not contain, because other commands change them. */
const notInForm = new Set(["agentClass", "subAgents"])

function formFields(
  { fieldAt }: Pick<AgentConfig, "fieldAt">,
  editable: ReturnType<typeof fieldsIn>,
  dialect: Dialect,
  text: { readonly dataAt: (pointer: string) => unknown },
): readonly AgentFormField[] {
  return editable
    .filter(([, field]) => valueSchemaOf(field) !== false)
    .map(([key, field]) => {
      const { pointer } = fieldAt(key)
      const value = text.dataAt(pointer)
      return {
        key,
        name: pointerKeys(pointer).at(-1) ?? key,
        description: plainText(field.description),
        isRequired: field.dialects[dialect]?.missing !== undefined,
        schema: valueSchemaOf(field),
        ...(field.default !== undefined && { default: field.default }),
        ...(value !== undefined && { value }),
      }
    })
}

/**
 * Returns the definitions that the schemas of the fields refer to, directly or through other
 * definitions.
 */
function definitionsOf(
  fields: readonly AgentFormField[],
  dialect: Dialect,
): Readonly<Record<string, ValueSchema>> {
  // The JSON Schema of a config always contains an object of definitions.
  const all = configSchema(dialect)["$defs"] as SchemaObject
  const found: Record<string, ValueSchema> = {}
  const pending: unknown[] = fields.map(({ schema }) => schema)
  for (const value of pending) {
    if (typeof value !== "object" || value === null) continue
    for (const [keyword, inner] of Object.entries(value)) {
      pending.push(inner)
      const name = keyword === "$ref" ? String(inner).replace(/^#\/\$defs\//, "") : null
      if (name === null || Object.hasOwn(found, name)) continue
      const definition = all[name]
      if (typeof definition !== "object" || definition === null) continue
      found[name] = definition as ValueSchema
      pending.push(definition)
    }
  }
  return found
}

function orRefusal<Result>(describe: () => Result): Result | { readonly refused: EditRefusal } {
  try {
    return describe()
  } catch (error) {
    if (error instanceof EditRefused) return { refused: error.refusal }
    throw error
  }
}

/** An agent that another file defines, with the range of its reference in the edited text. */
export interface ReferencedAgent {
  readonly name: string
  readonly file: string
  /**
   * Text offset at which the reference to the agent's file starts in the edited text. `to` is the
   * offset at which it ends.
   */
  readonly from: number
  readonly to: number
}

/**
 * Returns the agents of a workflow that other files define. Each agent comes before its sub-agents.
 * Returns an empty list if the text has errors.
 */
export function referencedAgents(workflow: EditedWorkflow): readonly ReferencedAgent[] {
  const found = orRefusal(() => ({ refused: null, config: openConfig(workflow).workflows[0] }))
  if (found.refused !== null || found.config === undefined) return []
  const { config } = found
  const references = new Map<IndexedAgent, ReferencedAgent | null>()
  const referenceOf = (agent: IndexedAgent): ReferencedAgent | null => {
    const known = references.get(agent)
    if (known !== undefined) return known
    references.set(agent, null)
    const { file } = agent.config.location.document
    const [use] = agent.uses
    if (use === undefined || file === null || config.isInDocument(agent.config.location))
      return null
    const entry = config.isInDocument(use.location)
      ? (valueAt(config.layout, use.location.pointer)?.entry ?? null)
      : referenceOf(use.parent)
    const reference = entry && { name: agent.name, file, from: entry.from, to: entry.to }
    references.set(agent, reference)
    return reference
  }
  return config.index.agents().flatMap((agent) => referenceOf(agent) ?? [])
}

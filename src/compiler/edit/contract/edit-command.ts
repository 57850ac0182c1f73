/**
 * The position for an agent, relative to an existing agent. With `into`, the agent becomes the last
 * sub-agent of the existing agent. With `before` or `after`, it becomes the previous or next entry
 * in the same list.
 */
export type Placement =
  | { readonly into: string }
  | { readonly before: string }
  | { readonly after: string }

/** The types of containers that the command `wrapAgents` can create. */
export type WrapperType = "SequentialAgent" | "ParallelAgent" | "LoopAgent"

/**
 * A command that changes a workflow. Agents are identified by name. The nodes of a Graph Compose
 * graph are identified by id, and the name of the graph is `graph`.
 */
export type EditCommand =
  | AddAgent
  | RemoveAgent
  | MoveAgent
  | WrapAgents
  | UnwrapAgent
  | SetField
  | RenameAgent
  | ConnectNodes
  | DisconnectNodes
  | ChangeRoute

/** Returns the name of the agent, node or graph that a command refers to. */
export function agentOf(command: EditCommand): string {
  switch (command.kind) {
    case "addAgent":
      return Object.values(command.placement)[0] ?? ""
    case "wrapAgents":
      return command.names[0] ?? ""
    case "setField":
      return command.agent
    case "renameAgent":
      return command.from
    default:
      return command.name
  }
}

/** A command that adds a new agent with the required fields of its type. */
export interface AddAgent {
  readonly kind: "addAgent"
  readonly type: string
  /** Name of the new agent. By default, a name that no other agent has. */
  readonly name?: string | undefined
  readonly placement: Placement
  /**
   * Values of fields of the agent. A key is a field name as in a config, or the key of a field
   * description.
   */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** A command that removes an agent, and all of its sub-agents that no other agent uses. */
export interface RemoveAgent {
  readonly kind: "removeAgent"
  readonly name: string
}

/** A command that moves an agent together with its sub-agents. */
export interface MoveAgent {
  readonly kind: "moveAgent"
  readonly name: string
  readonly placement: Placement
}

/** A command that moves adjacent sub-agents of one agent into a new container. */
export interface WrapAgents {
  readonly kind: "wrapAgents"
  readonly names: readonly string[]
  readonly type: WrapperType
  /** Name of the new container. By default, a name that no other agent has. */
  readonly newName?: string | undefined
}

/** A command that replaces a container with its sub-agents. */
export interface UnwrapAgent {
  readonly kind: "unwrapAgent"
  readonly name: string
}

/** A command that sets a field of an agent. Without `value`, the command removes the field. */
export interface SetField {
  readonly kind: "setField"
  readonly agent: string
  /**
   * Path of the value inside the agent, such as `["httpConfig", "url"]`. The first element is an
   * accepted name of the field, or the field's key in charts. If the text contains the field under
   * another accepted name, this name is not changed.
   */
  readonly field: readonly (string | number)[]
  readonly value?: unknown
}

/** A command that renames an agent and changes all references to it. */
export interface RenameAgent {
  readonly kind: "renameAgent"
  readonly from: string
  readonly to: string
}

/**
 * An edge of a graph, with the names of its source and target. The start of a Workflow is the node
 * `START`.
 */
export interface NodeEdge {
  readonly from: string
  readonly to: string
  /**
   * The route of an edge of a Workflow, or the condition of an edge of a Graph Compose graph. An
   * edge with the route `default` is followed if no other route matches. Null if the edge has no
   * route.
   */
  readonly route: string | null
}

/** A command that adds an edge to a graph. `name` is the name of the graph. */
export interface ConnectNodes extends NodeEdge {
  readonly kind: "connectNodes"
  readonly name: string
}

/** A command that removes an edge of a graph. `name` is the name of the graph. */
export interface DisconnectNodes extends NodeEdge {
  readonly kind: "disconnectNodes"
  readonly name: string
}

/**
 * A command that changes, adds or removes the route of an edge. `name` is the name of the graph.
 */
export interface ChangeRoute extends NodeEdge {
  readonly kind: "changeRoute"
  readonly name: string
  readonly newRoute: string | null
}

/** The reasons for which an edit command can be refused. */
export type EditRefusalCode =
  | "config_invalid"
  | "graph_unsupported"
  | "agent_unknown"
  | "edge_unknown"
  | "edge_exists"
  | "not_a_graph"
  | "agent_ambiguous"
  | "agent_is_root"
  | "agent_in_use"
  | "other_file"
  | "defined_in_code"
  | "name_taken"
  | "name_invalid"
  | "type_unknown"
  | "field_missing"
  | "field_unknown"
  | "placement_invalid"
  | "not_adjacent"
  | "not_a_container"
  | "condition_lost"
  | "condition_unsupported"
  | "layout_unsupported"
  | "value_invalid"

/** The reason why an edit command was refused. `fix` suggests how to change the config instead. */
export interface EditRefusal {
  readonly code: EditRefusalCode
  readonly message: string
  readonly fix: string
}

/**
 * An error that refuses an edit command. The functions that execute commands throw it, and
 * `editWorkflow` catches it and returns `refusal`.
 */
export class EditRefused extends Error {
  readonly refusal: EditRefusal

  constructor(code: EditRefusalCode, message: string, fix: string) {
    super(message)
    this.refusal = { code, message, fix }
  }
}

/** A replacement of a part of a text. `from` and `to` are offsets in the original text. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * The result of an edit command: the edits of the text, or the reason why the command was refused.
 */
export type WorkflowEdit =
  | {
      readonly refused: null
      /** The edits of the original text, sorted by offset. They do not overlap. */
      readonly edits: readonly TextEdit[]
      /** The text after the edits. */
      readonly text: string
      /**
       * Name of the agent that the command added or changed. Null if the command removed the agent.
       */
      readonly agent: string | null
    }
  | { readonly refused: EditRefusal }

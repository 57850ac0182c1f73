import { isNode } from "yaml"
import type { ConfigFolder } from "../1-parse/files/config-folder.js"
import type { ReadOptions } from "../read-workflow.js"
import { parseWorkflows } from "../parse-workflow.js"
import { NamedAgents } from "./agents/named-agents.js"
import { WorkflowText } from "./agents/workflow-text.js"
import { changeRoute, connectNodes, disconnectNodes } from "./commands/graph-edges.js"
import { removeAgent } from "./commands/remove-agent.js"
import { renameAgent } from "./commands/rename-agent.js"
import { setField } from "./commands/set-field.js"
import { addAgent, moveAgent } from "./commands/structure.js"
import { unwrapAgent, wrapAgents } from "./commands/wrap-agents.js"
import type { EditCommand, WorkflowEdit } from "./contract/edit-command.js"
import { agentOf, EditRefused } from "./contract/edit-command.js"
import { applyEdits, difference, mergeEdits } from "./contract/text-edits.js"
import { layoutOf } from "./layout/layout.js"
import { lineEndOf } from "./layout/lines.js"
import { jsonSource } from "./source/json-source.js"
import { yamlSource } from "./source/yaml-source.js"
import { executeOnNodes, isNodeCommand } from "./task-graph/edit-task-graph.js"
import { TaskGraphText } from "./task-graph/task-graph-text.js"

/** The text of a workflow file to edit, with the other files that it refers to. */
export interface EditedWorkflow {
  readonly text: string
  /** Options for parsing the config, such as its dialect. */
  readonly options?: ReadOptions | undefined
  /**
   * The folder of the edited file, for a config that consists of several files. The root file of
   * the folder is the edited file, but `text` is used instead of its content. Null or undefined if
   * the config is a single text.
   */
  readonly folder?: ConfigFolder | null | undefined
}

/**
 * Executes an edit command on the text of a workflow and returns the edits of the text. All other
 * parts of the text are unchanged, including comments and layout. The result is not validated, so
 * compile the new text to find errors in it. Never throws for an invalid config.
 */
export function editWorkflow(workflow: EditedWorkflow, command: EditCommand): WorkflowEdit {
  try {
    const { text } = workflow
    const mark = text.startsWith("\uFEFF") ? 1 : 0
    const body = text.slice(mark)
    // Edits of YAML lists insert whole lines, so the last line must end with a line break.
    const isOpen = !body.endsWith("\n")
    const lines = isOpen ? body + lineEndOf(body) : body
    const opened = openConfig({ ...workflow, text: lines })
    const { graph } = opened
    const changes =
      graph !== null && isNodeCommand(command, graph)
        ? { config: graph, agent: executeOnNodes(command, graph) }
        : executeOnAgents(command, opened)
    const { config, agent } = changes
    const { source } = config.layout
    const edits = mergeEdits(source.text, config.edits())
    const changed = applyEdits(source.text, edits)
    const result = isOpen ? changed.replace(/\r?\n$/, "") : changed
    const shifted = (isOpen ? difference(body, result) : edits).map((edit) => ({
      from: edit.from + mark,
      to: edit.to + mark,
      text: edit.text,
    }))
    return { refused: null, edits: shifted, text: text.slice(0, mark) + result, agent }
  } catch (error) {
    if (error instanceof EditRefused) return { refused: error.refusal }
    throw error
  }
}

function executeOnAgents(command: EditCommand, opened: OpenedConfig) {
  const config = workflowWith(agentOf(command), opened)
  return { config, agent: execute(command, config) }
}

function execute(command: EditCommand, config: WorkflowText): string | null {
  switch (command.kind) {
    case "addAgent":
      return addAgent(command, config)
    case "removeAgent":
      return removeAgent(command, config)
    case "moveAgent":
      return moveAgent(command, config)
    case "wrapAgents":
      return wrapAgents(command, config)
    case "unwrapAgent":
      return unwrapAgent(command, config)
    case "setField":
      return setField(command, config)
    case "renameAgent":
      return renameAgent(command, config)
    case "connectNodes":
      return connectNodes(command, config)
    case "disconnectNodes":
      return disconnectNodes(command, config)
    case "changeRoute":
      return changeRoute(command, config)
  }
}

/** The parts of a parsed text that edit commands change. */
export interface OpenedConfig {
  /** The workflow in the text. If the text is a graph, the workflows in its adk nodes. */
  readonly workflows: readonly WorkflowText[]
  /** The Graph Compose graph in the text. Null if the text is not such a graph. */
  readonly graph: TaskGraphText | null
}

/**
 * Returns the workflow that contains an agent. In a Graph Compose graph, each adk node has its own
 * workflow.
 *
 * @throws EditRefused if no workflow, or more than one, contains the agent
 */
export function workflowWith(agent: string, { workflows, graph }: OpenedConfig): WorkflowText {
  const [first] = workflows
  if (first !== undefined && graph === null) return first
  const [found, second] = workflows.filter(({ index }) => index.has(agent))
  if (found === undefined)
    throw new EditRefused(
      "agent_unknown",
      `The graph has no agent and no node "${agent}".`,
      "Use the name of an agent or a node of the graph.",
    )
  if (second !== undefined)
    throw new EditRefused(
      "agent_ambiguous",
      `Several nodes of the graph have an agent "${agent}".`,
      "Rename one of these agents in the text.",
    )
  return found
}

/**
 * Parses a text, and returns the workflows and the graph in it.
 *
 * @throws EditRefused if the text cannot be edited
 */
export function openConfig({ text, options, folder }: EditedWorkflow): OpenedConfig {
  const edited: ConfigFolder | null = folder
    ? { ...folder, open: (path) => (path === folder.root ? { text } : folder.open(path)) }
    : null
  const { workflows, graph, document, diagnostics } = parseWorkflows(edited ?? text, options)
  const readable = workflows.filter(({ workflow: { agents } }) => agents !== null)
  const isReadable = graph !== null || readable.length > 0
  const yaml = document?.yaml ?? null
  const source = !isReadable ? null : isNode(yaml) ? yamlSource(text, yaml) : jsonSource(text)
  if (source === null || document === null) {
    const error = diagnostics.find(({ severity }) => severity === "error")
    throw new EditRefused(
      "config_invalid",
      error?.message ?? "The config contains no agents.",
      error?.fix ?? "Write a workflow first.",
    )
  }
  const layout = layoutOf(source)
  const indexes = readable.map((parsed) => new NamedAgents(parsed))
  const names = new Set(indexes.flatMap((index) => index.agents().map(({ name }) => name)))
  const texts = indexes.map((index) => new WorkflowText(index, layout, names))
  return {
    workflows: texts,
    graph: graph && new TaskGraphText({ graph, document, layout, workflows: texts }),
  }
}

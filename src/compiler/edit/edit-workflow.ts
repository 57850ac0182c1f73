import { isNode } from "yaml"
import type { ConfigFolder } from "../1-parse/files/config-folder.js"
import type { ReadOptions } from "../read-workflow.js"
import { parseWorkflows } from "../parse-workflow.js"
import { NamedAgents } from "./agents/named-agents.js"
import { WorkflowText } from "./agents/workflow-text.js"
import { connectNodes, disconnectNodes } from "./commands/graph-edges.js"
import { removeAgent } from "./commands/remove-agent.js"
import { renameAgent } from "./commands/rename-agent.js"
import { setField } from "./commands/set-field.js"
import { addAgent, moveAgent } from "./commands/structure.js"
import { unwrapAgent, wrapAgents } from "./commands/wrap-agents.js"
import type { EditCommand, WorkflowEdit } from "./contract/edit-command.js"
import { EditRefused } from "./contract/edit-command.js"
import { applyEdits, difference, mergeEdits } from "./contract/text-edits.js"
import { layoutOf } from "./layout/layout.js"
import { lineEndOf } from "./layout/lines.js"
import { jsonSource } from "./source/json-source.js"
import { yamlSource } from "./source/yaml-source.js"

/** The text of a workflow file, with the other files that it refers to. */
export interface EditedWorkflow {
  readonly text: string
  /** Compile options, such as the dialect. */
  readonly options?: ReadOptions | undefined
  /**
   * The folder of the file, for a config of several files. Its root file is the edited one, whose
   * text is replaced by `text`. null: the config is a single text.
   */
  readonly folder?: ConfigFolder | null | undefined
}

/**
 * Changes a workflow and returns the edits of its text. Everything else in the text is unchanged,
 * including comments and layout. The new text may have errors, which compiling it reports. Never
 * throws for an invalid config.
 */
export function editWorkflow(workflow: EditedWorkflow, command: EditCommand): WorkflowEdit {
  try {
    const { text } = workflow
    const mark = text.startsWith("\uFEFF") ? 1 : 0
    const body = text.slice(mark)
    // Lists of YAML are changed by line, so the last line needs a line end.
    const isOpen = !body.endsWith("\n")
    const lines = isOpen ? body + lineEndOf(body) : body
    const config = openWorkflow({ ...workflow, text: lines }, agentOf(command))
    const agent = execute(command, config)
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
  }
}

/** Returns the agent whose workflow a command changes. */
function agentOf(command: EditCommand): string {
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

/**
 * Parses a text, and returns the workflow with an agent. A graph has a workflow in each of its adk
 * nodes.
 *
 * @throws EditRefused if the text cannot be edited
 */
export function openWorkflow(workflow: EditedWorkflow, agent: string): WorkflowText {
  const configs = openWorkflows(workflow)
  const [first, ...others] = configs
  if (first !== undefined && others.length === 0) return first
  const [found, second] = configs.filter(({ index }) => index.has(agent))
  if (found === undefined)
    throw new EditRefused(
      "agent_unknown",
      `The adk nodes of the graph have no agent "${agent}".`,
      "Edit the nodes of the graph and their dependencies in the text.",
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
 * Parses a text, and returns its workflows.
 *
 * @throws EditRefused if the text cannot be edited
 */
export function openWorkflows({ text, options, folder }: EditedWorkflow): readonly WorkflowText[] {
  const edited: ConfigFolder | null = folder
    ? { ...folder, open: (path) => (path === folder.root ? { text } : folder.open(path)) }
    : null
  const { workflows, isGraph, diagnostics } = parseWorkflows(edited ?? text, options)
  const readable = workflows.filter(({ workflow: { agents } }) => agents !== null)
  const [first] = readable
  const yaml = first?.document.yaml ?? null
  const source =
    first === undefined ? null : isNode(yaml) ? yamlSource(text, yaml) : jsonSource(text)
  if (source === null) {
    const error = diagnostics.find(({ severity }) => severity === "error")
    throw isGraph
      ? new EditRefused(
          "graph_unsupported",
          "The config is a graph without agents.",
          "Edit the nodes of the graph and their dependencies in the text.",
        )
      : new EditRefused(
          "config_invalid",
          error?.message ?? "The config contains no agents.",
          error?.fix ?? "Write a workflow first.",
        )
  }
  const layout = layoutOf(source)
  const indexes = readable.map((parsed) => new NamedAgents(parsed))
  const names = new Set(indexes.flatMap((index) => index.agents().map(({ name }) => name)))
  return indexes.map((index) => new WorkflowText(index, layout, names))
}

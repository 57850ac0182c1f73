import type { EditCommand, Placement } from "../../edit-api.js"
import type { AgentInTree } from "./agent-tree.js"
import type { EditAction } from "./edit-actions.js"

/**
 * Returns the edit command for an action that needs no form. Returns null if the action needs a
 * form or is impossible.
 */
export function commandOf(action: EditAction, { name, siblings }: AgentInTree): EditCommand | null {
  const position = siblings.indexOf(name)
  const [before, after] = [siblings[position - 1], siblings[position + 1]]
  if (action === "remove") return { kind: "removeAgent", name }
  if (action === "unwrap") return { kind: "unwrapAgent", name }
  if (action === "earlier" && before !== undefined)
    return { kind: "moveAgent", name, placement: { before } }
  if (action === "later" && after !== undefined)
    return { kind: "moveAgent", name, placement: { after } }
  return null
}

/**
 * Returns the name of the agent to select after the given agent is removed. This is the next
 * sibling, the previous sibling or the parent. Returns null if there is none.
 */
export function neighbourOf({ name, siblings, parent }: AgentInTree): string | null {
  const position = siblings.indexOf(name)
  return siblings[position + 1] ?? siblings[position - 1] ?? parent
}

const exampleAddress = " Its address is an example: check its fields."

/**
 * Additional hints in the message after an agent or node was added. The key is the type of the
 * agent or node.
 */
const hints: Readonly<Record<string, string>> = {
  LlmAgent: " Its model or httpConfig is a copy: check its fields.",
  http: exampleAddress,
  error_boundary: exampleAddress,
}

/**
 * Returns a message for the user about a completed edit command, for example `writer is removed.`.
 * `agent` is the agent that the command added or changed.
 */
export function describeCommand(command: EditCommand, agent: string | null): string {
  switch (command.kind) {
    case "addAgent":
      return `${agent} is added ${placementText(command.placement)}.${hints[command.type] ?? ""}`
    case "removeAgent":
      return `${command.name} is removed.`
    case "moveAgent":
      return `${command.name} is now ${placementText(command.placement)}.`
    case "wrapAgents":
      return `${command.names.join(", ")} ${command.names.length === 1 ? "is" : "are"} now inside ${agent}.`
    case "unwrapAgent":
      return `${command.name} is replaced by its agents.`
    case "renameAgent":
      return `${command.from} is now named ${command.to}.`
    case "connectNodes":
      return `${command.from} is connected to ${command.to}.`
    case "disconnectNodes":
      return `${command.from} is no longer connected to ${command.to}.`
    case "changeRoute":
      return `The ${command.name === "graph" ? "condition" : "route"} from ${command.from} to ${command.to} is changed.`
    case "setField":
      return "The field is changed."
  }
}

const placementText = (placement: Placement): string =>
  "into" in placement
    ? `inside ${placement.into}`
    : "before" in placement
      ? `before ${placement.before}`
      : `after ${placement.after}`

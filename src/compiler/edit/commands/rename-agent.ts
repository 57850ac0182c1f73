import type { ConfigLocation } from "../../diagnostics/config-location.js"
import { childPointer } from "../../document/json-pointer.js"
import type { IndexedAgent } from "../agents/named-agents.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { RenameAgent } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { valueAt } from "../layout/splice-at.js"
import { quotedLike, replaceScalar } from "./replace-scalar.js"

/** Renames an agent, and changes all references to it. */
export function renameAgent({ from, to }: RenameAgent, config: WorkflowText): string {
  const { index, layout } = config
  const agent = index.get(from)
  if (from === to) return to
  config.requireHere(agent)
  config.requireFree(to)
  const name = agent.config.fieldAt("id")
  const locations = new Map([[name.pointer, name]])
  for (const location of index.referencesTo(from))
    locations.set(`${location.document.file} ${location.pointer}`, location)
  locations.delete(`${name.document.file} ${name.pointer}`)
  for (const location of locations.values()) {
    requireName(from, location, config)
    config.edit(replaceScalar(location.pointer, to, layout))
  }
  renameOptions(agent, to, config)
  return to
}

/**
 * Throws EditRefused if a reference cannot be renamed. This is the case if it is in another file,
 * or if its text is not the agent's name but, for example, a file path.
 */
function requireName(name: string, location: ConfigLocation, config: WorkflowText): void {
  if (!config.isInDocument(location))
    throw new EditRefused(
      "other_file",
      `The file ${location.document.file ?? "of another config"} refers to the agent "${name}".`,
      "Rename the agent in both files in the text.",
    )
  if (config.dataAt(location.pointer) !== name)
    throw new EditRefused(
      "defined_in_code",
      `The name of the agent "${name}" comes from the reference at ${location.pointer}.`,
      "Rename the agent where it is defined.",
    )
}

/** Renames the key in `nodeOptions` of each graph that contains the renamed node. */
function renameOptions({ name, uses }: IndexedAgent, to: string, config: WorkflowText): void {
  const graphs = new Set(uses.map(({ parent }) => parent))
  for (const { config: graph } of graphs) {
    if (graph.type !== "Workflow") continue
    const pointer = childPointer(graph.fieldAt("nodeOptions").pointer, name)
    const entry = valueAt(config.layout, pointer)?.entry
    if (entry == null) continue
    const { from, to: end } = entry.keyRange
    const { text } = config.layout.source
    config.edit({ from, to: end, text: quotedLike(text.slice(from, end), to, config.layout) })
  }
}

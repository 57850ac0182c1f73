import { childPointer } from "../../document/json-pointer.js"
import { descriptionOf, keyOfField } from "../agents/agent-fields.js"
import type { IndexedAgent } from "../agents/named-agents.js"
import type { WorkflowText } from "../agents/workflow-text.js"
import type { SetField } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import { spellingIn } from "../layout/data-in.js"
import { removeValue, setValue } from "../layout/update-value.js"

/**
 * Sets a field of an agent, or a value nested in the field. Removes the field or value if the
 * command has no `value`.
 */
export function setField({ agent: name, field, value }: SetField, config: WorkflowText): string {
  const agent = config.index.get(name)
  config.requireHere(agent)
  const pointer = pointerOf(field, agent, config)
  const options = {
    layout: config.layout,
    dataAt: (pointer: string) => config.dataAt(pointer),
    before: config.listPointer(agent),
  }
  const edits =
    value === undefined
      ? removeValue(pointer, agent.config.location.pointer, options)
      : setValue(pointer, value, options)
  for (const edit of edits) config.edit(edit)
  return name
}

/**
 * Returns the JSON pointer of the value to set. The pointer contains the field names as they are
 * written in the text, for example in snake_case.
 */
function pointerOf(
  [first, ...rest]: SetField["field"],
  { name, config: agent }: IndexedAgent,
  config: WorkflowText,
): string {
  if (first === undefined)
    throw new EditRefused("field_unknown", "The path of the field is empty.", "Name a field.")
  const description = descriptionOf(agent.type ?? "", config.parsed.dialect)
  const key =
    description === undefined ? null : keyOfField(String(first), description, config.parsed.dialect)
  if (key === "id")
    throw new EditRefused(
      "field_unknown",
      `The name of the agent "${name}" is not an ordinary field, because other agents refer to it.`,
      "Rename the agent instead.",
    )
  if (key === "subAgents")
    throw new EditRefused(
      "field_unknown",
      `The sub-agents of "${name}" are not an ordinary field.`,
      "Add, move or remove the agents instead.",
    )
  if (key === null && agent.type !== "CustomAgent" && agent.type !== null)
    throw new EditRefused(
      "field_unknown",
      `"${String(first)}" is not a field of ${description?.name ?? "the agent"}.`,
      "Use a field of this type of agent.",
    )
  const start =
    key === null ? childPointer(agent.location.pointer, first) : agent.fieldAt(key).pointer
  return rest.reduce<string>((pointer, step) => {
    const value = config.dataAt(pointer)
    return childPointer(pointer, spellingIn(value, step))
  }, start)
}

import { taskNodes } from "../../agent-types/task-nodes.js"
import { fieldsIn, keyOfField } from "../agents/agent-fields.js"
import type { SetField } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { TaskGraphText } from "./task-graph-text.js"

/**
 * Keys of the node fields that a form does not contain. Users change dependencies and protected
 * nodes by editing edges. Other nodes and templates depend on the other fields.
 */
const notInForm: ReadonlySet<string> = new Set(["id", "type", "dependencies", "protectedNodes"])

/**
 * Returns the field descriptions of a node type without the fields that a form does not contain.
 */
export function editableFields(type: keyof typeof taskNodes) {
  const { fields, ...description } = taskNodes[type]
  const editable = fieldsIn({ fields, ...description }, "graph-compose").filter(
    ([key]) => !notInForm.has(key),
  )
  return { ...description, fields: Object.fromEntries(editable) }
}

/**
 * Sets a field of a Graph Compose node, or a value nested in the field. Removes the field or value
 * if the command has no `value`. Returns the id of the node.
 */
export function setTaskField({ agent: id, field, value }: SetField, graph: TaskGraphText): string {
  const task = graph.get(id)
  const [first, ...rest] = field
  const key = keyOfField(String(first ?? ""), editableFields(task.type), "graph-compose")
  if (key === null)
    throw new EditRefused(
      "field_unknown",
      `"${String(first ?? "")}" is not a field of the node "${id}" that can be set.`,
      "Connect and disconnect nodes with their edges. Change the id in the text.",
    )
  const pointer = rest.reduce<string>(
    (outer, step) => graph.stepIn(outer, step),
    task.fieldAt(key).pointer,
  )
  graph.set(pointer, value, task)
  return id
}

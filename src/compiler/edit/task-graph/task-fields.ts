import { taskNodes } from "../../agent-types/task-nodes.js"
import { fieldsIn, keyOfField } from "../agents/agent-fields.js"
import type { SetField } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { TaskGraphText } from "./task-graph-text.js"

/** The fields that have commands of their own, or that other nodes and templates refer to. */
const notInForm: ReadonlySet<string> = new Set(["id", "type", "dependencies", "protectedNodes"])

/** Returns the description of the fields of a node that can be set. */
export function editableFields(type: keyof typeof taskNodes) {
  const { fields, ...description } = taskNodes[type]
  const editable = fieldsIn({ fields, ...description }, "graph-compose").filter(
    ([key]) => !notInForm.has(key),
  )
  return { ...description, fields: Object.fromEntries(editable) }
}

/** Sets or removes a field of a node, or a value inside a field. */
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

import type { JsonObject } from "../../../machines/data/json-object.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { ParsedAdkTask } from "./task-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { objectOf, refuseType } from "../fields/plain-values.js"
import { templateData, templateText } from "../fields/template-text.js"
import type { FoundConfig } from "../workflow/find-config.js"

/**
 * Returns the workflow definition in an `adk` node of a Graph Compose graph. The parser state
 * contains separate lists of conditions and services for each definition, because each definition
 * is resolved and analyzed separately.
 */
export function readAdkTask(
  { id, config, location, fieldAt }: ParsedAdkTask,
  context: JsonObject,
): FoundConfig | null {
  if (config === null) return null
  const { pointer, field } = fieldAt("config")
  const definition = objectOf(config)
  if (definition === null)
    return refuseType(
      config,
      { ...location, pointer, field },
      "an object",
      "the workflow definition in { }",
    )
  const own: ParserLocation = {
    ...location,
    parser: {
      ...location.parser,
      conditions: [],
      graphNodes: new Map(),
      serviceUses: [],
      unresolved: [],
      unsupported: [],
    },
    owner: { kind: "workflow", id, label: `the workflow in ${location.owner.label}` },
    field: "",
    pointer,
  }
  checkTemplates(definition, own)
  return { type: "workflow", config: definition, location: own, nodeId: id, context }
}

/**
 * Checks the templates in the initial user input and in the initial state. Only a workflow that is
 * part of a graph may have templates in these fields.
 */
function checkTemplates(
  definition: Readonly<Record<string, unknown>>,
  location: ParserLocation,
): void {
  for (const key of ["initialUserInput", "initial_user_input"])
    if (typeof definition[key] === "string") templateText(definition[key], fieldOf(location, key))
  const state = objectOf(definition["state"])
  if (state !== null) templateData(state, fieldOf(location, "state"))
}

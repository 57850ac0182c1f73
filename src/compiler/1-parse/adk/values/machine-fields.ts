import type { UserMachine } from "../../../../machines/contract/host/user-machine.js"
import { isJsonObject } from "../../../../machines/data/json-object.js"
import { report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"
import { data } from "../../fields/data.js"
import type { Reader } from "../../fields/field-table.js"

/**
 * Parses the states of a MachineAgent's XState machine. Only the form of the data is checked,
 * because the class `MachineAgent` generates this field.
 */
export const userMachine: Reader<UserMachine> = (value, location) => {
  const object = data(value, location)
  if (object === null) return null
  const problem = problemOf(object, "")
  if (problem === null && typeof object["id"] === "string")
    // `problemOf` has already checked the form of the states.
    return object as unknown as UserMachine
  return report(location, {
    code: "bad_value",
    problem: `does not describe a machine: ${problem ?? 'its "id" is not a string'}`,
    fix: "Use the class MachineAgent, which writes this field, or remove the field. Without this field, drawings do not contain the states of the machine.",
  })
}

const types: readonly unknown[] = ["atomic", "compound", "parallel", "final", "history"]

function problemOf(state: Readonly<Record<string, unknown>>, path: string): string | null {
  const { type, states = {}, transitions = [], invokes = [] } = state
  const where = path === "" ? "the machine" : `the state "${path}"`
  if (!types.includes(type)) return `${where} has the type ${describeValue(type)}`
  const isListOf = (list: unknown, field: string): boolean =>
    Array.isArray(list) &&
    list.every((entry) => isJsonObject(entry) && typeof entry[field] === "string")
  if (!isListOf(transitions, "event")) return `the transitions of ${where} are not a list of events`
  if (!isListOf(invokes, "src")) return `the invokes of ${where} are not a list of actors`
  if (!isJsonObject(states)) return `the states of ${where} are not an object`
  for (const [key, inner] of Object.entries(states)) {
    const below = path === "" ? key : `${path}.${key}`
    if (!isJsonObject(inner)) return `the state "${below}" is not an object`
    const problem = problemOf(inner, below)
    if (problem !== null) return problem
  }
  return null
}

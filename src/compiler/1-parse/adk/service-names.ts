import { anything } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { filledText, objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import { fieldOf } from "../place.js"
import { noteUnsupported } from "../unsupported.js"

/** The name of host code that is registered with the runner: `"guard"`, `{"name": "guard"}` or `{"service": "guard"}`. */
export const serviceName: Reader<string> = (value, at) => {
  if (typeof value === "string") return filledText(value, at)
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "the name of a service", 'a text such as "guard", or {"name": "guard"}')
  const { name, args } = readFields(object, named, at).values
  return hasArguments(args) ? noteUnsupported(at, "services made from arguments") : name
}

/** One name, or several in a list. */
export const serviceNames: Reader<readonly string[]> = (value, at) =>
  (Array.isArray(value) ? value : [value]).flatMap((entry, index) => serviceName(entry, Array.isArray(value) ? fieldOf(at, index) : at) ?? [])

const hasArguments = (args: unknown): boolean => args !== null && (objectOf(args) === null || Object.keys(objectOf(args) ?? {}).length > 0)

const named = fieldTable(
  "the name of a service",
  { name: required(filledText, "Name the service as it is registered with the runner."), args: optional(anything) },
  { aliases: { service: "name" }, synonyms: { id: "name", function: "name", arguments: "args" } },
)

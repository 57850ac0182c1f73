import { anything } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { filledText, objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { Place } from "../place.js"
import { fieldOf } from "../place.js"
import type { ServiceKind } from "../services/service-declaration.js"
import { useService } from "../services/service-uses.js"
import { noteUnsupported } from "../unsupported.js"

/** The name of host code that is registered with the runner: `"guard"`, `{"name": "guard"}` or `{"service": "guard"}`. */
export const serviceName =
  (kind: ServiceKind): Reader<string> =>
  (value, at) => {
    const found = nameOf(value, at)
    return found && useService(found.name, kind, found.at)
  }

function nameOf(value: unknown, at: Place): { readonly name: string; readonly at: Place } | null {
  const object = objectOf(value)
  if (object === null) {
    if (typeof value !== "string") return refuseType(value, at, "the name of a service", 'a text such as "guard", or {"name": "guard"}')
    const name = filledText(value, at)
    return name === null ? null : { name, at }
  }
  const read = readFields(object, named, at)
  const { name, args } = read.values
  if (hasArguments(args)) return noteUnsupported(at, "services made from arguments")
  return name === null ? null : { name, at: read.at("name") }
}

/** One name, or several in a list. */
export const callbackNames: Reader<readonly string[]> = (value, at) =>
  (Array.isArray(value) ? value : [value]).flatMap((entry, index) => callback(entry, Array.isArray(value) ? fieldOf(at, index) : at) ?? [])

const callback = serviceName("callback")

const hasArguments = (args: unknown): boolean => args !== null && (objectOf(args) === null || Object.keys(objectOf(args) ?? {}).length > 0)

const named = fieldTable(
  "the name of a service",
  { name: required(filledText, "Name the service as it is registered with the runner."), args: optional(anything) },
  { aliases: { service: "name" }, synonyms: { id: "name", function: "name", arguments: "args" } },
)

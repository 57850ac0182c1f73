import { anything, data } from "../../fields/data.js"
import type { JsonObject } from "../../../../machines/data/json-object.js"
import type { HookUse } from "../../../../machines/contract/hook-use.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { filledText, objectOf, refuseType } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf } from "../../../diagnostics/config-location.js"
import type { ServiceKind } from "../../context/service-declaration.js"
import { useService } from "../../context/service-uses.js"
import { noteUnsupported } from "../../context/unsupported.js"

/**
 * Returns a function that parses the name of a host function that is registered with the runner.
 * The config value is `"guard"`, `{"name": "guard"}` or `{"service": "guard"}`.
 */
export const serviceName =
  (kind: ServiceKind): Reader<string> =>
  (value, location) => {
    const found = nameOf(value, location)
    if (found?.args != null) return noteUnsupported(location, "services created with arguments")
    return found && useService(found.name, kind, found.location)
  }

interface FoundName {
  readonly name: string
  readonly location: ParserLocation
  /** Arguments from which the service is created. Null if there are none. */
  readonly args: unknown
  readonly argsAt: ParserLocation
}

function nameOf(value: unknown, location: ParserLocation): FoundName | null {
  const object = objectOf(value)
  if (object === null) {
    if (typeof value !== "string")
      return refuseType(
        value,
        location,
        "the name of a service",
        'a string such as "guard", or {"name": "guard"}',
      )
    const name = filledText(value, location)
    return name === null ? null : { name, location, args: null, argsAt: location }
  }
  const read = readFields(object, named, location)
  const { name, args } = read.values
  return name === null
    ? null
    : {
        name,
        location: read.locationOf("name"),
        args: hasArguments(args) ? args : null,
        argsAt: read.locationOf("args"),
      }
}

/**
 * Parses one callback or a list of callbacks. `{name, args}` refers to a service that creates the
 * callback from the arguments.
 */
export const callbackNames: Reader<readonly HookUse[]> = (value, location) =>
  (Array.isArray(value) ? value : [value]).flatMap(
    (entry, index) =>
      callback(entry, Array.isArray(value) ? fieldOf(location, index) : location) ?? [],
  )

function callback(value: unknown, location: ParserLocation): HookUse | null {
  const found = nameOf(value, location)
  const service = found && useService(found.name, "callback", found.location)
  if (found === null || service === null || found.args === null) return service
  const factory = Array.isArray(found.args)
    ? listedArguments(found.args, found.argsAt)
    : data(found.args, found.argsAt)
  return factory === null ? null : { service, factory }
}

/**
 * Converts arguments in ADK's form `[{name, value}]` to an object. An argument without a name gets
 * its index as key.
 */
function listedArguments(args: readonly unknown[], location: ParserLocation): JsonObject {
  const entries = args.map((entry, index): [string, unknown] | null => {
    const entryAt = fieldOf(location, index)
    const object = objectOf(entry)
    if (object === null)
      return refuseType(entry, entryAt, "an argument", '{"name": "limit", "value": 5}')
    const { name, value } = readFields(object, argument, entryAt).values
    return [name ?? String(index), value]
  })
  return Object.fromEntries(entries.filter((entry) => entry !== null))
}

const argument = fieldTable("an argument of a service", {
  name: optional(filledText),
  value: required(anything, "Add the value of the argument."),
})

const hasArguments = (args: unknown): boolean =>
  args !== null && (objectOf(args) === null || Object.keys(objectOf(args) ?? {}).length > 0)

const named = fieldTable(
  "a reference to a service",
  {
    name: required(
      filledText,
      "Write the name under which the service is registered with the runner.",
    ),
    args: optional(anything),
  },
  { aliases: { service: "name" }, synonyms: { id: "name", function: "name", arguments: "args" } },
)

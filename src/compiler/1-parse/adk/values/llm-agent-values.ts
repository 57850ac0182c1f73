import type { JsonObject } from "../../../../machines/data/json-object.js"
import { data } from "../../fields/data.js"
import type { Reader } from "../../fields/field-table.js"
import { objectOf, refuseType, text } from "../../fields/plain-values.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"
import { serviceName } from "./service-names.js"

/**
 * Parses the instruction of an agent. The instruction is a template with placeholders for session
 * state, or an object that names a host function. The text that a host function returns is not a
 * template.
 */
export const instruction: Reader<string | { readonly service: string }> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return text(value, location)
  // YAML reads the text {topic} without quotes as a map whose value is missing.
  const [key, ...otherKeys] = Object.keys(object)
  if (key !== undefined && otherKeys.length === 0 && object[key] === null)
    return refuseType(
      value,
      location,
      "a string",
      `the text in quotes: ${describeValue(`{${key}}`)}`,
    )
  const service = instructionService(value, location)
  return service === null ? null : { service }
}

const instructionService = serviceName("instruction")

/**
 * Parses the name of a model. A model that an ADK program creates in code must be registered with
 * the runner under a name.
 */
export const modelName: Reader<string> = serviceName("model")

/**
 * Parses a JSON schema. `"module.Class"` and `{"name": "module.Class"}` refer to a schema that is
 * declared in the compile option `services`.
 */
export const schema: Reader<JsonObject> = (value, location) => {
  const object = objectOf(value)
  const keys = object === null ? [] : Object.keys(object)
  const named =
    object !== null &&
    typeof object["name"] === "string" &&
    keys.every((key) => key === "name" || key === "args")
  if (typeof value === "string" || named) return registeredSchema(value, location)
  return object === null
    ? refuseType(value, location, "a JSON schema", '{"type": "object", "properties": {...}}')
    : data(value, location)
}

const schemaName = serviceName("schema")

/**
 * Returns a schema that the compile option `services` declares. The schema is copied into the
 * chart. If the option does not contain the schema, reports a warning and returns null.
 */
function registeredSchema(value: unknown, location: ParserLocation): JsonObject | null {
  const name = schemaName(value, location)
  if (name === null) return null
  const known = location.parser.services.find(name, "schema")
  if (known?.jsonSchema !== undefined) return known.jsonSchema
  location.parser.unresolved.push({ name, kind: "schema", location })
  if (known !== null || !location.parser.services.areKnown) {
    report(location, {
      code: "missing_service",
      severity: "warning",
      problem: `refers to the schema ${describeValue(name)}, which the compiler does not have`,
      fix: `Add { name: ${JSON.stringify(name)}, kind: "schema", jsonSchema: {...} } to the compile option "services", or write the JSON schema here.`,
    })
  }
  return null
}

/**
 * Settings of ADK's `generateContentConfig` that belong in a field of the agent instead. Keys are
 * names of settings, values are names of the agent's fields.
 */
const ownFields: Readonly<Record<string, string>> = {
  tools: "tools",
  systemInstruction: "instruction",
  system_instruction: "instruction",
  responseSchema: "outputSchema",
  response_schema: "outputSchema",
}

/**
 * Parses `generateContentConfig`, the model settings that are passed unchanged to the model
 * service. Reports an error for each setting that belongs in a field of the agent, such as `tools`.
 */
export const generateContentConfig: Reader<JsonObject> = (value, location) => {
  const given = data(value, location)
  for (const key of Object.keys(given ?? {})) {
    const field = Object.hasOwn(ownFields, key) ? ownFields[key] : undefined
    if (field === undefined) continue
    const name = location.parser.naming.name(field)
    report(fieldOf(location, key), {
      code: "bad_value",
      problem: `belongs to the agent itself, in the field "${name}"`,
      fix: `Move this value to the field "${name}" of the agent.`,
      part: "key",
    })
  }
  return given
}

/**
 * Parses a string or an ADK Content such as `{parts: [{text}]}`. The texts of all parts are joined
 * with line breaks.
 */
export const contentText: Reader<string> = (value, location) => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return joined(value, location)
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "a string or a Content", '{"parts": [{"text": "..."}]}')
  return Array.isArray(object["parts"])
    ? joined(object["parts"], fieldOf(location, "parts"))
    : partText(object, location)
}

function joined(parts: readonly unknown[], location: ParserLocation): string | null {
  const texts = parts.map((part, index) => partText(part, fieldOf(location, index)))
  const read = texts.filter((part) => part !== null)
  return read.length === texts.length ? read.join("\n") : null
}

function partText(part: unknown, location: ParserLocation): string | null {
  if (typeof part === "string") return part
  const own = objectOf(part)?.["text"]
  return typeof own === "string"
    ? own
    : report(location, {
        code: "unsupported_feature",
        problem: "has parts that are not text, which are not supported in a static instruction",
        fix: 'Write {"text": "..."}, and pass images and files to the agent in messages.',
      })
}

import type { JsonObject } from "../../../../machines/data/json-object.js"
import { data } from "../../fields/data.js"
import type { Reader } from "../../fields/field-table.js"
import { objectOf, refuseType, text } from "../../fields/plain-values.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { show } from "../../../diagnostics/show.js"
import { serviceName } from "./service-names.js"

/** A template over the session state, or host code that gives the text, which is then no template. */
export const instruction: Reader<string | { readonly service: string }> = (value, at) => {
  if (objectOf(value) === null) return text(value, at)
  const service = instructionService(value, at)
  return service === null ? null : { service }
}

const instructionService = serviceName("instruction")

/** The name of a model that is registered with the runner; one that is made by code is registered as well. */
export const modelName: Reader<string> = serviceName("model")

/** A JSON schema; `"module.Class"` and `{"name": "module.Class"}` name one that the runner would know. */
export const schema: Reader<JsonObject> = (value, at) => {
  const object = objectOf(value)
  const keys = object === null ? [] : Object.keys(object)
  const named =
    object !== null &&
    typeof object["name"] === "string" &&
    keys.every((key) => key === "name" || key === "args")
  if (typeof value === "string" || named) return registeredSchema(value, at)
  return object === null
    ? refuseType(value, at, "a JSON schema", '{"type": "object", "properties": {...}}')
    : data(value, at)
}

const schemaName = serviceName("schema")

/** A registered schema is put into the chart, so the compiler has to be told of it. */
function registeredSchema(value: unknown, at: ParserLocation): JsonObject | null {
  const name = schemaName(value, at)
  if (name === null) return null
  const known = at.parser.services.find(name, "schema")
  if (known?.jsonSchema !== undefined) return known.jsonSchema
  at.parser.unresolved.push({ name, kind: "schema", at })
  if (known !== null || !at.parser.services.areTold) {
    report(at, {
      code: "missing_service",
      severity: "warning",
      says: `refers to the schema ${show(name)}, which the compiler does not have`,
      fix: `Add { name: ${JSON.stringify(name)}, kind: "schema", jsonSchema: {...} } to the compile option "services", or write the schema here.`,
    })
  }
  return null
}

/** What ADK takes from the agent's own fields, and refuses here. */
const ownFields: Readonly<Record<string, string>> = {
  tools: "tools",
  systemInstruction: "instruction",
  system_instruction: "instruction",
  responseSchema: "outputSchema",
  response_schema: "outputSchema",
}

/** Settings of the model, passed on as they are. */
export const generateContentConfig: Reader<JsonObject> = (value, at) => {
  const given = data(value, at)
  for (const key of Object.keys(given ?? {})) {
    const field = Object.hasOwn(ownFields, key) ? ownFields[key] : undefined
    if (field === undefined) continue
    const name = at.parser.naming.name(field)
    report(fieldOf(at, key), {
      code: "bad_value",
      says: `belongs to the agent itself, in the field "${name}"`,
      fix: `Move it to "${name}" of the agent.`,
      part: "key",
    })
  }
  return given
}

/** A text, or ADK's Content, `{parts: [{text}]}`, whose texts are joined. */
export const contentText: Reader<string> = (value, at) => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return joined(value, at)
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, at, "a string or a Content", '{"parts": [{"text": "..."}]}')
  return Array.isArray(object["parts"])
    ? joined(object["parts"], fieldOf(at, "parts"))
    : partText(object, at)
}

function joined(parts: readonly unknown[], at: ParserLocation): string | null {
  const texts = parts.map((part, index) => partText(part, fieldOf(at, index)))
  const read = texts.filter((part) => part !== null)
  return read.length === texts.length ? read.join("\n") : null
}

function partText(part: unknown, at: ParserLocation): string | null {
  if (typeof part === "string") return part
  const own = objectOf(part)?.["text"]
  return typeof own === "string"
    ? own
    : report(at, {
        code: "unsupported_feature",
        says: "has parts that are not text, which are not supported in a static instruction",
        fix: 'Write {"text": "..."}, and pass images and files to the agent in messages.',
      })
}

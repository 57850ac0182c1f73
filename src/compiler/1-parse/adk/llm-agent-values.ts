import type { JsonObject } from "../../../machines/contract.js"
import { data } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { filledText, objectOf, refuseType, text } from "../fields/plain-values.js"
import { fieldOf, report } from "../place.js"
import { noteUnsupported } from "../unsupported.js"
import { serviceName } from "./service-names.js"

/** A template over the session state, or host code that gives the text, which is then no template. */
export const instruction: Reader<string | { readonly service: string }> = (value, at) => {
  if (objectOf(value) === null) return text(value, at)
  const service = serviceName(value, at)
  return service === null ? null : { service }
}

/** The name of a model that is registered with the runner. */
export const modelName: Reader<string> = (value, at) =>
  objectOf(value) === null ? filledText(value, at) : noteUnsupported(at, "models made by code")

/** A JSON schema; `"module.Class"` and `{"name": "module.Class"}` name one that the runner would know. */
export const schema: Reader<JsonObject> = (value, at) => {
  const object = objectOf(value)
  const keys = object === null ? [] : Object.keys(object)
  const named = object !== null && typeof object["name"] === "string" && keys.every((key) => key === "name" || key === "args")
  if (typeof value === "string" || named) return noteUnsupported(at, "schemas registered with the runner")
  return object === null ? refuseType(value, at, "a JSON schema", '{"type": "object", "properties": {...}}') : data(value, at)
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
    const name = at.reading.naming.name(field)
    report(fieldOf(at, key), { code: "bad_value", says: `belongs to the agent itself, as its "${name}"`, cure: `Move it to "${name}" of the agent.`, part: "key" })
  }
  return given
}

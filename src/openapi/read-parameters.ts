import type { OperationParameter } from "../machines/data/http-operation.js"
import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { resolved } from "./document-references.js"
import type { ToolSchemas } from "./tool-schema.js"
import { UnsupportedOperation } from "./unsupported-operation.js"

/**
 * A parameter of an OpenAPI operation, with the schema and description of the tool argument that a
 * model writes for it.
 */
export interface ReadParameter extends OperationParameter {
  readonly schema: JsonObject | boolean
  readonly description: string | null
}

const parameterLocations = ["path", "query", "header", "cookie"] as const

/**
 * Lowercase names of headers that tool arguments must not set. The runner sets these headers, or
 * they change the meaning of the request.
 */
const ownHeaders = new Set([
  "accept",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-tool-name",
])

/**
 * Reads the parameters of a path item and of its operation. A parameter of the operation replaces
 * the parameter of the path item with the same name and location. Optional parameters that are not
 * supported are omitted.
 *
 * @throws UnsupportedOperation if a required parameter is not supported
 */
export function readParameters(
  document: JsonObject,
  lists: readonly unknown[],
  schemas: ToolSchemas,
): readonly ReadParameter[] {
  const found = new Map<string, JsonObject>()
  for (const list of lists) {
    if (!Array.isArray(list)) continue
    for (const entry of list) {
      const parameter = resolved(document, entry)
      found.set(`${String(parameter["in"])} ${String(parameter["name"])}`, parameter)
    }
  }
  const parameters = [...found.values()].flatMap((parameter) => {
    const read = readParameter(document, parameter, schemas)
    return read === null ? [] : [read]
  })
  return withArguments(parameters)
}

function readParameter(
  document: JsonObject,
  parameter: JsonObject,
  schemas: ToolSchemas,
): ReadParameter | null {
  const { name, description, content } = parameter
  const location = parameterLocations.find((one) => one === parameter["in"])
  const isRequired = parameter["required"] === true || location === "path"
  const refuse = (reason: string): null => {
    if (isRequired) throw new UnsupportedOperation(reason)
    return null
  }
  if (typeof name !== "string" || name === "" || location === undefined)
    return refuse("has a parameter without a name or a location")
  if (location === "header" && ownHeaders.has(name.toLowerCase())) return null
  if (location === "header" && !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    return refuse(`has the parameter "${name}", which is not a header name`)
  if (location === "cookie" && !/^[\w-]+$/.test(name))
    return refuse(`has the parameter "${name}", which is not a cookie name`)
  if (location === "path" && !/^[\w.~-]+$/.test(name))
    return refuse(
      `has the path parameter "${name}", whose name contains characters other than letters, digits, ".", "_", "~" and "-"`,
    )
  const media = isJsonObject(content) ? Object.values(content)[0] : undefined
  const format = media === undefined ? formatOf(parameter, location) : "json"
  if (format === null)
    return refuse(
      `has the parameter "${name}" with the style "${String(parameter["style"])}", which is not supported`,
    )
  const schema = media === undefined ? parameter["schema"] : resolved(document, media)["schema"]
  return {
    argument: name,
    name,
    in: location,
    ...(isRequired && { required: true as const }),
    format,
    schema: schemas.convert(schema),
    description: typeof description === "string" ? description : null,
  }
}

/**
 * Returns the format in which lists and objects of a parameter are written to the request. For
 * example, the format `repeat` writes `id=1&id=2`. Returns null if the parameter's `style` is not
 * supported.
 */
function formatOf(
  { style, explode }: JsonObject,
  location: OperationParameter["in"],
): OperationParameter["format"] | null {
  if (location === "path" || location === "header")
    return style === undefined || style === "simple" ? "form" : null
  if (style === undefined || style === "form") return explode === false ? "form" : "repeat"
  if (style === "spaceDelimited") return explode === true ? "repeat" : "space"
  if (style === "pipeDelimited") return explode === true ? "repeat" : "pipe"
  return style === "deepObject" ? "deepObject" : null
}

/**
 * Makes the argument names of a tool unique. If several parameters have the same name, or a
 * parameter is named `body`, the argument's name starts with the parameter's location, such as
 * `query_id`.
 */
function withArguments(parameters: readonly ReadParameter[]): readonly ReadParameter[] {
  const counts = new Map<string, number>([["body", 1]])
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1)
  return parameters.map((parameter) =>
    (counts.get(parameter.name) ?? 0) > 1
      ? { ...parameter, argument: `${parameter.in}_${parameter.name}` }
      : parameter,
  )
}

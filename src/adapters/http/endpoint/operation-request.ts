import type { HttpOperation, OperationParameter } from "../../../machines/data/http-operation.js"
import type { ToolArguments } from "../../../machines/contract/services.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { HttpCall } from "../client/http-client.js"
import { EndpointRefused } from "./endpoint-refused.js"
import type { FilledEndpoint } from "./fill-endpoint.js"
import { checkedHeader } from "./fill-headers.js"

/**
 * Request header with the name of the tool. Servers can log it. The scripted service for tests uses
 * it to select a response.
 */
export const toolNameHeader = "x-tool-name"

type Pair = readonly [name: string, value: string]

/**
 * Builds the HTTP request for an operation of an OpenAPI document. Each argument is sent where the
 * document defines it, for example in the path or the query. The credentials of the endpoint take
 * precedence, so that a model cannot replace them.
 *
 * @throws EndpointRefused if a required argument is missing, or if an argument would change the
 * path
 */
export function operationRequest(
  { parameters, body }: HttpOperation,
  tool: string,
  args: ToolArguments,
  filled: FilledEndpoint,
): Omit<HttpCall, "method" | "publicOnly"> {
  const url = new URL(filled.url)
  const headers: Record<string, string> = {
    accept: "application/json, */*;q=0.5",
    [toolNameHeader]: tool,
  }
  const cookies: string[] = []
  const query: string[] = []
  const inPath = new Map<string, Pair>()
  for (const parameter of parameters) {
    const value = args[parameter.argument]
    if (value === undefined || value === null) {
      if (parameter.required === true) throw missing(parameter.argument)
      continue
    }
    if (parameter.in === "path") {
      inPath.set(parameter.name, [parameter.argument, textOf(parameter, value)])
      continue
    }
    if (parameter.in === "header") {
      const [name, text] = checkedHeader(parameter.name, textOf(parameter, value))
      headers[name] = text
      continue
    }
    if (parameter.in === "cookie") {
      cookies.push(`${parameter.name}=${encoded(textOf(parameter, value))}`)
      continue
    }
    for (const [name, text] of pairsOf(parameter, value))
      if (!url.searchParams.has(name)) query.push(`${encoded(name)}=${encoded(text)}`)
  }
  url.pathname = url.pathname
    .split("/")
    .map((segment) => filledSegment(segment, inPath))
    .join("/")
  url.search = [url.search.replace(/^\?/, ""), ...query].filter((pair) => pair !== "").join("&")
  const given = body === undefined ? undefined : args["body"]
  if (given !== undefined) headers["content-type"] = body ?? "application/json"
  const { cookie } = filled.headers
  if (cookie !== undefined) cookies.unshift(cookie)
  return {
    url,
    headers: {
      ...headers,
      ...filled.headers,
      ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
    },
    body: given === undefined ? null : JSON.stringify(given),
  }
}

/**
 * Replaces the placeholders in a path segment with the values of tool arguments. A value cannot add
 * or remove a path segment.
 */
function filledSegment(segment: string, values: ReadonlyMap<string, Pair>): string {
  let filledBy: string | null = null
  const filled = segment.replace(/%7B([\w.~-]+)%7D/g, (placeholder, name: string) => {
    const found = values.get(name)
    if (found === undefined) return placeholder
    const [argument, text] = found
    if (text === "") throw missing(argument)
    filledBy = argument
    return encoded(text)
  })
  if (filledBy !== null && /^(?:\.|%2e){1,2}$/i.test(filled))
    throw new EndpointRefused(
      "template_failed",
      `arguments.${String(filledBy)}`,
      "the value must not be a path segment that consists of dots",
    )
  return filled
}

function pairsOf(parameter: OperationParameter, value: unknown): readonly Pair[] {
  const { name, format } = parameter
  if (format === "repeat" && Array.isArray(value))
    return value.map((item) => [name, plain(item)] as const)
  if (format === "repeat" && isJsonObject(value))
    return Object.entries(value).map(([key, item]) => [key, plain(item)] as const)
  if (format === "deepObject" && isJsonObject(value))
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, plain(item)] as const)
  return [[name, textOf(parameter, value)]]
}

const separators = { space: " ", pipe: "|" } as const

function textOf({ format }: OperationParameter, value: unknown): string {
  if (format === "json") return JSON.stringify(value)
  const separator = format === "space" || format === "pipe" ? separators[format] : ","
  if (Array.isArray(value)) return value.map(plain).join(separator)
  return isJsonObject(value)
    ? Object.entries(value)
        .flatMap(([key, item]) => [key, plain(item)])
        .join(separator)
    : plain(value)
}

const plain = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const missing = (argument: string): EndpointRefused =>
  new EndpointRefused("template_failed", `arguments.${argument}`, "the argument is missing")

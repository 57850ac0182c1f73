import type { ModelRequest, ToolRequest } from "../../machines/contract/services.js"
import type { CassetteRequest } from "./cassette.js"
import { digestOf } from "./cassette.js"

/** A function that replaces secret values in a recorded request (plain JSON) by `***`. */
export type RequestMask = (
  json: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>

/**
 * Creates a function that replaces every occurrence of the secret `values` in the strings and keys
 * of a JSON object by `***`. Empty values are ignored.
 */
export function maskOf(values: readonly string[]): RequestMask {
  const hidden = values
    .filter((value) => value !== "")
    .sort((one, other) => other.length - one.length)
  if (hidden.length === 0) return (json) => json
  const inText = (text: string): string =>
    hidden.reduce((masked, value) => masked.replaceAll(value, "***"), text)
  const inside = (value: unknown): unknown => {
    if (typeof value === "string") return inText(value)
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [inText(key), inside(inner)]),
    )
  }
  // The cast is safe: the masked copy of an object is an object.
  return (json) => inside(json) as Readonly<Record<string, unknown>>
}

export function modelCassetteRequest(request: ModelRequest, mask: RequestMask): CassetteRequest {
  const { messages, tools, state, generationConfig, model } = request
  return cassetteRequest(
    "model",
    model,
    request,
    { messages, tools, state, ...(generationConfig !== undefined && { generationConfig }) },
    mask,
  )
}

export function toolCassetteRequest(request: ToolRequest, mask: RequestMask): CassetteRequest {
  const { tool, callId, arguments: args, state, grantedSecret } = request
  return cassetteRequest(
    "tool",
    tool,
    request,
    { tool, callId, arguments: args, state, ...(grantedSecret !== null && { grantedSecret }) },
    mask,
  )
}

function cassetteRequest(
  kind: CassetteRequest["kind"],
  of: string | null,
  request: ModelRequest | ToolRequest,
  content: object,
  mask: RequestMask,
): CassetteRequest {
  const { attempt, agent, endpoint } = request
  // The request is copied as JSON, in the form in which it is written to the file. The copy has no
  // undefined values, and later changes of the request do not affect it.
  const masked = mask(JSON.parse(JSON.stringify(content)) as Readonly<Record<string, unknown>>)
  return {
    kind,
    key: keyWithin(request),
    attempt,
    agent,
    of,
    http: endpoint !== null,
    digest: digestOf(masked),
    request: masked,
  }
}

/**
 * Returns the idempotency key of a call without the run id at its start, for example
 * `pipeline/writer#0`. An adopted run is an earlier run that was replayed as a new run. Its keys
 * may start with the id of the earlier run.
 */
const keyWithin = ({ idempotencyKey, runId, path }: ModelRequest | ToolRequest): string =>
  idempotencyKey.slice(
    idempotencyKey.startsWith(`${runId}/`)
      ? runId.length + 1
      : idempotencyKey.lastIndexOf(`/${path}`) + 1,
  )

import type { ModelRequest, ToolRequest } from "../../machines/contract/services.js"
import type { CassetteRequest } from "./cassette.js"
import { digestOf } from "./cassette.js"

/** Takes texts out of JSON: values of secrets that a state or a message might hold. */
export type Mask = (json: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** Every occurrence in any text, keys included; empty values mask nothing. */
export function maskOf(values: readonly string[]): Mask {
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
  // An object stays an object.
  return (json) => inside(json) as Readonly<Record<string, unknown>>
}

export function modelCassetteRequest(request: ModelRequest, mask: Mask): CassetteRequest {
  const { messages, tools, state, generationConfig, model } = request
  return asked(
    "model",
    model,
    request,
    { messages, tools, state, ...(generationConfig === undefined ? {} : { generationConfig }) },
    mask,
  )
}

export function toolCassetteRequest(request: ToolRequest, mask: Mask): CassetteRequest {
  const { tool, callId, arguments: args, state, grantedSecret } = request
  return asked(
    "tool",
    tool,
    request,
    { tool, callId, arguments: args, state, ...(grantedSecret === null ? {} : { grantedSecret }) },
    mask,
  )
}

function asked(
  kind: CassetteRequest["kind"],
  of: string | null,
  request: ModelRequest | ToolRequest,
  content: object,
  mask: Mask,
): CassetteRequest {
  const { attempt, agent, endpoint } = request
  // A copy as the file will have it: what is undefined is gone, and later changes of the original do not show.
  const told = mask(JSON.parse(JSON.stringify(content)) as Readonly<Record<string, unknown>>)
  return {
    kind,
    key: keyWithin(request),
    attempt,
    agent,
    of,
    http: endpoint !== null,
    digest: digestOf(told),
    request: told,
  }
}

/** Without the run id. A call of an adopted run may have the key that it had in the other run. */
const keyWithin = ({ idempotencyKey, runId, path }: ModelRequest | ToolRequest): string =>
  idempotencyKey.slice(
    idempotencyKey.startsWith(`${runId}/`)
      ? runId.length + 1
      : idempotencyKey.lastIndexOf(`/${path}`) + 1,
  )

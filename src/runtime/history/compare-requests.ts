import type { Message, ModelRequest } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { KnownCall } from "./call-key.js"
import { sameJson } from "./equal-json.js"
import { abbreviateValue } from "./abbreviate-value.js"

/** A call that was made in two runs with different requests. */
export interface RequestDifference {
  readonly call: KnownCall
  /**
   * Names of the request fields that differ, for example `messages`, `tools`, `arguments` or
   * `state`.
   */
  readonly fields: readonly string[]
  /**
   * Description of each difference for reports, one line per field, for example `model: "small"
   * before, "large" now`.
   */
  readonly lines: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/** Request fields that are not compared, because they only identify the call or contain a time. */
const identity: ReadonlySet<string> = new Set([
  "runId",
  "agent",
  "path",
  "branch",
  "idempotencyKey",
  "attempt",
  "maximumAttempts",
  "startedAt",
])

/**
 * Compares the requests of the same call in two runs. Returns the differences, or null if the
 * requests are equal. `same` decides whether two values of a field are equal.
 */
export function compareRequests(
  before: KnownCall,
  after: KnownCall,
  same = sameJson,
): RequestDifference | null {
  const [old, now] = [requestOf(before), requestOf(after)]
  const difference = old === null || now === null ? null : differencesBy(same, old, now)
  return difference === null ? null : { call: after, ...difference }
}

/**
 * Compares two requests field by field. Returns the fields that differ, or null if the requests are
 * equal.
 */
export function fieldDifferences(
  before: Fields,
  after: Fields,
): Omit<RequestDifference, "call"> | null {
  return differencesBy(sameJson, before, after)
}

/**
 * Returns the fields whose values differ, or null if no field differs. `same` decides whether two
 * values are equal.
 */
function differencesBy(
  same: typeof sameJson,
  before: Fields,
  after: Fields,
): Omit<RequestDifference, "call"> | null {
  const differs = (name: string): boolean => !identity.has(name) && !same(before[name], after[name])
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
  const fields = Object.keys(before).concat(added).filter(differs)
  return fields.length === 0
    ? null
    : { fields, lines: fields.map((name) => inLine(name, before[name], after[name])) }
}

/**
 * Returns the request of a call, or null for a pause (a call that only waits and has no request).
 */
export function requestOf({ call }: KnownCall): Fields | null {
  const { request } = call.input as { readonly request?: unknown }
  return isJsonObject(request) ? request : null
}

function inLine(name: string, before: unknown, after: unknown): string {
  if (name === "messages")
    return messagesInLine(before as readonly Message[], after as readonly Message[])
  if (name === "tools")
    return `tools: ${toolNames(before)} before, ${toolNames(after)} now${toolNames(before) === toolNames(after) ? " with another declaration" : ""}`
  if (name === "state") return `state: ${changedKeys(before as Fields, after as Fields)}`
  return `${name}: ${abbreviateValue(before)} before, ${abbreviateValue(after)} now`
}

function messagesInLine(before: readonly Message[], after: readonly Message[]): string {
  const first = before.findIndex((message, index) => !sameJson(message, after[index]))
  const start = first === -1 ? before.length : first
  const [old, now] = [before[start], after[start]]
  const describe = (message: Message | undefined): string =>
    message === undefined ? "nothing" : `${message.role} ${abbreviateValue(message.content)}`
  return `messages[${start}]: ${describe(old)} before, ${describe(now)} now`
}

const toolNames = (tools: unknown): string =>
  `[${((tools ?? []) as ModelRequest["tools"]).map((tool) => tool.function.name).join(", ")}]`

function changedKeys(before: Fields, after: Fields): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !sameJson(before[key], after[key]),
  )
  return keys
    .map(
      (key) =>
        `"${key}" was ${abbreviateValue(before[key])} and is now ${abbreviateValue(after[key])}`,
    )
    .join("; ")
}

import type { NodeFailure } from "../contract/run-event.js"
import { isJsonObject } from "../data/json-object.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * The input or the output of a node. A node without a value has no field `value`, which is
 * different from the value null.
 */
export interface NodeValue {
  readonly value?: unknown
}

/** A question that a node asks a person. */
export interface NodeQuestion {
  readonly id: string
  readonly message: string | null
  readonly payload: unknown
  /** JSON schema of the answer; null if every answer is valid. */
  readonly responseSchema: JsonObject | null
}

/**
 * The plain JSON value that a host function returns if its node has the option `returnsNodeResult`.
 */
export interface NodeResult {
  readonly output?: unknown
  /** The route or the list of routes that the node chose. */
  readonly route?: unknown
  /** Set if another event already contains the output of the node. */
  readonly isShown?: true
  /** Questions that must be answered before the node can continue. */
  readonly questions?: readonly NodeQuestion[]
  readonly failure?: NodeFailure
}

/** The input of a host function whose node has the option `returnsNodeResult`. */
export interface NodeCall {
  readonly input?: unknown
  /** Number of the attempt, counted from 1. */
  readonly attempt: number
  /** Answers to the questions of earlier runs of the node, by question id. */
  readonly answers: JsonObject
  /** JSON schema of the state keys that the node may write. Absent: it may write all keys. */
  readonly stateSchema?: JsonObject
}

export const isNodeResult = (value: unknown): value is NodeResult => isJsonObject(value)

/**
 * Returns the routes that a node chose as strings, because routes are compared as strings. Ignores
 * values that are not strings, numbers or booleans.
 */
export const routeTexts = (route: unknown): readonly string[] =>
  (Array.isArray(route) ? route : [route])
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map(String)

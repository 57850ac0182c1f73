import type { NodeFailure } from "../contract/run-event.js"
import { isJsonObject } from "../data/json-object.js"
import type { JsonObject } from "../data/json-object.js"

/**
 * The input or the output of a graph node. If the node has no input or output, the field `value` is
 * absent. This is different from a value that is null.
 */
export interface NodeValue {
  readonly value?: unknown
}

/** A question that a graph node asks a person. */
export interface NodeQuestion {
  readonly id: string
  readonly message: string | null
  readonly payload: unknown
  /** JSON schema of the answer. null if every answer is valid. */
  readonly responseSchema: JsonObject | null
}

/**
 * The value that the host function of a node returns if the node has the option
 * `returnsNodeResult`. It must be plain JSON.
 */
export interface NodeResult {
  readonly output?: unknown
  /** The route that the node chose, or a list of routes. Absent if it chose none. */
  readonly route?: unknown
  /** Set if an earlier event has already displayed the output of the node. */
  readonly isShown?: true
  /** Questions that people must answer before the node can continue. */
  readonly questions?: readonly NodeQuestion[]
  readonly failure?: NodeFailure
}

/** Input of the host function of a node that has the option `returnsNodeResult`. */
export interface NodeCall {
  readonly input?: unknown
  /** Number of the attempt. The first attempt has the number 1. */
  readonly attempt: number
  /** Answers of people to the questions of earlier runs of the node, by question id. */
  readonly answers: JsonObject
  /**
   * JSON schema of the session state keys that the node may write. If absent, it may write all
   * keys.
   */
  readonly stateSchema?: JsonObject
}

export const isNodeResult = (value: unknown): value is NodeResult => isJsonObject(value)

/**
 * Returns the routes that a node chose as a list of strings, because routes are compared as
 * strings. Ignores values that are not strings, numbers or booleans.
 */
export const routeTexts = (route: unknown): readonly string[] =>
  (Array.isArray(route) ? route : [route])
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map(String)

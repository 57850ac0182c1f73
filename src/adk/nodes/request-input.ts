import type { NodeQuestion } from "../../machines/graph/node-result.js"
import type { SchemaLike } from "../common/schema.js"
import { jsonSchemaOf } from "../common/schema.js"
import { plainJson } from "../../machines/data/plain-json.js"
import { refuse } from "../common/refuse.js"

export interface RequestInputParams {
  /**
   * Id of the question. `ctx.resumeInputs` contains the answer under this id. Default: the node's
   * path and a number.
   */
  readonly interruptId?: string
  /** The question that the person sees. */
  readonly message?: string
  /** JSON data that the person sees with the question. */
  readonly payload?: unknown
  /** Schema of the answer. An object that does not match the schema is rejected. */
  readonly responseSchema?: SchemaLike
}

/**
 * A question to a person. A node returns or yields it, and the run waits for the answer. The answer
 * is the output of the node, or `ctx.resumeInputs[interruptId]` if the node has `rerunOnResume`.
 *
 * @example
 * const ask = () => new RequestInput({ interruptId: "color", message: "Which color?" })
 */
export class RequestInput {
  readonly interruptId: string
  readonly message?: string
  readonly payload?: unknown
  readonly responseSchema?: SchemaLike

  constructor({ interruptId = "", message, payload, responseSchema }: RequestInputParams = {}) {
    this.interruptId = interruptId
    if (message !== undefined) this.message = message
    if (payload !== undefined) this.payload = payload
    if (responseSchema !== undefined) this.responseSchema = responseSchema
  }
}

export const isRequestInput = (value: unknown): value is RequestInput =>
  value instanceof RequestInput

/**
 * Converts a question of a node to plain JSON. `node` is the name of the node for error messages.
 */
export function questionOf(
  { interruptId, message, payload, responseSchema }: RequestInput,
  node: string,
): NodeQuestion {
  const json = plainJson(payload ?? null)
  return {
    id: interruptId,
    message: message ?? null,
    payload: json.ok
      ? json.value
      : refuse(
          `The payload of a RequestInput of the node "${node}" is not JSON.`,
          "Pass JSON data.",
        ),
    responseSchema:
      responseSchema === undefined
        ? null
        : jsonSchemaOf(responseSchema, `the responseSchema of the node "${node}"`),
  }
}

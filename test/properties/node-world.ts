import type { NodeRequest, NodeTask } from "../../src/machines/contract/graphs/node-service.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { chosenBy, hashOf } from "./hash.js"

const busy = { code: "node_failed", message: "HTTP 503", retryable: true, status: 503 } as const

const sound = Array.from({ length: 12 }, () => "ok")

/** Returns the response of a service to a graph node. It depends only on the seed, the key and the attempt. */
export function answerOfNode(seed: number, request: NodeRequest): unknown {
  const { idempotencyKey, attempt, node, task } = request
  const roll = `${seed} node ${idempotencyKey} ${attempt}`
  switch (task.type) {
    case "fill":
      return filled(task, node, roll)
    case "notify":
      if (hashOf(roll) % 5 === 0) throw new CallFailedError({ ...busy, retryable: false })
      return null
    case "check":
      return task.conditions.map((_, index) => hashOf(`${roll} condition ${index}`) % 3 === 0)
    case "send":
      return sent(task, node, roll)
  }
}

function filled(
  { value }: Extract<NodeTask, { readonly type: "fill" }>,
  node: string,
  roll: string,
): unknown {
  // The list of a loop is a text, and the input of an adk node is an object.
  if (typeof value !== "string") return value
  if (hashOf(roll) % 12 === 0) return { no: "list" }
  return Array.from({ length: hashOf(`${roll} ${node}`) % 5 }, (_, index) => ({ n: index }))
}

function sent(
  { pollUntil, outputMapping }: Extract<NodeTask, { readonly type: "send" }>,
  node: string,
  roll: string,
): unknown {
  const data =
    node === "rows"
      ? { items: chosenBy<unknown>(`${roll} rows`, [[{ n: 1 }, { n: 2 }], [{ n: 1 }], [], "none"]) }
      : { n: hashOf(`${roll} n`) % 9 }
  const response = { data, statusCode: 200, headers: {} }
  const kind = chosenBy(`${roll} kind`, ["ok", ...sound, "busy", "refused", "lost"])
  if (kind === "lost")
    throw new CallFailedError({ ...busy, code: "connection_lost", message: "connection lost" })
  if (kind === "busy") return { response: { ...response, statusCode: 503 }, failure: busy }
  if (kind === "refused")
    return {
      response: { ...response, statusCode: 400 },
      failure: { code: "node_failed", message: "HTTP 400", retryable: false, status: 400 },
    }
  return {
    response,
    ...(pollUntil !== undefined && hashOf(`${roll} polls`) % 3 > 0 && { polls: true }),
    ...(outputMapping !== undefined && { mapped: { mapped: 1 } }),
  }
}

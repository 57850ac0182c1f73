import type { HostRequest, ModelRequest, ToolRequest } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"

const shown = 4

/**
 * Describes the calls in flight in one line for the Restate journal. Names at most the first four
 * of them. Examples: `model line/writer#0` and `one of 12: tool ..., model ...`.
 */
export function describeCalls(calls: Iterable<{ readonly call: LeafCall }>, count: number): string {
  const names: string[] = []
  for (const { call } of calls) {
    if (names.push(describeCall(call)) === shown) break
  }
  if (count === 1) return names.join("")
  return `one of ${count}: ${names.join(", ")}${count > shown ? ", ..." : ""}`
}

const kinds = {
  callModel: "model",
  callTool: "tool",
  callNode: "node",
  callHost: "code",
  callWorkflow: "workflow",
  sleepUntil: "pause",
} as const

function describeCall({ n, src, input }: LeafCall): string {
  if (src === "sleepUntil") return `pause ${n}`
  // The cast is safe. The input of every call except a pause contains a request.
  const { request } = input as { readonly request: ModelRequest | ToolRequest | HostRequest }
  return `${kinds[src]} ${request.idempotencyKey.slice(request.runId.length + 1)}`
}

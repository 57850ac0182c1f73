import type { CallIdentity, ModelRequest } from "../../machines/contract/services.js"
import type { LeafCall, DeltaSink } from "./host.js"

/** Idempotency keys of calls that another run had begun, by the keys that the same calls have in this run. */
export type KeptKeys = Readonly<Record<string, string>>

interface IdentifiedInput {
  readonly request: CallIdentity
}

/** The idempotency key of a call; null for a pause, which has none. */
export function keyOf({ src, input }: LeafCall): string | null {
  return src === "sleepUntil" ? null : (input as IdentifiedInput).request.idempotencyKey
}

/** The call as the other run had begun it, so that a service recognizes it. */
export function withKeptKey(call: LeafCall, keys: KeptKeys | undefined): LeafCall {
  if (keys === undefined) return call
  const key = keyOf(call)
  if (key === null || !Object.hasOwn(keys, key)) return call
  const input = call.input as IdentifiedInput
  const request = { ...input.request, idempotencyKey: keys[key] }
  return { ...call, input: { ...input, request } }
}

/** Emits the deltas of a call under the key that it has in its own run, as all other events of that call. */
export function underOwnKey(call: LeafCall, live: DeltaSink): DeltaSink {
  const idempotencyKey = keyOf(call) ?? ""
  return {
    isHeard: () => live.isHeard(),
    tell: (request: ModelRequest, text) => live.tell({ ...request, idempotencyKey }, text),
  }
}

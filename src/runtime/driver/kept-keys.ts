import type { CallIdentity, ModelRequest } from "../../machines/contract/services.js"
import type { LeafCall, DeltaSink } from "./host.js"

/**
 * The idempotency keys of calls that another run started, by the keys of these calls in this run.
 */
export type KeptKeys = Readonly<Record<string, string>>

interface IdentifiedInput {
  readonly request: CallIdentity
}

/** Returns the idempotency key of a call, or null for a pause, which has none. */
export function keyOf({ src, input }: LeafCall): string | null {
  return src === "sleepUntil" ? null : (input as IdentifiedInput).request.idempotencyKey
}

/** Returns the call with the idempotency key of the other run, so that a service recognizes it. */
export function withKeptKey(call: LeafCall, keys: KeptKeys | undefined): LeafCall {
  if (keys === undefined) return call
  const key = keyOf(call)
  if (key === null || !Object.hasOwn(keys, key)) return call
  const input = call.input as IdentifiedInput
  const request = { ...input.request, idempotencyKey: keys[key] }
  return { ...call, input: { ...input, request } }
}

/** Returns a sink that emits the deltas of a call with the idempotency key of its own run. */
export function underOwnKey(call: LeafCall, live: DeltaSink): DeltaSink {
  const idempotencyKey = keyOf(call) ?? ""
  return {
    hasSubscribers: () => live.hasSubscribers(),
    emit: (request: ModelRequest, text) => live.emit({ ...request, idempotencyKey }, text),
  }
}

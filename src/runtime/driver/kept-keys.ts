import type { CallIdentity } from "../../machines/contract/services.js"
import type { LeafCall, DeltaSink } from "./host.js"

/**
 * A map from a call's idempotency key in this run to the key under which another run has already
 * started the same call.
 */
export type KeptKeys = Readonly<Record<string, string>>

interface IdentifiedInput {
  readonly request: CallIdentity
}

/** Returns the idempotency key of a call. Returns null for a pause. */
export function keyOf({ src, input }: Pick<LeafCall, "src" | "input">): string | null {
  return src === "sleepUntil" ? null : (input as IdentifiedInput).request.idempotencyKey
}

/**
 * Returns a copy of the input of a call with another idempotency key. The call must not be a pause.
 */
export function withKey(input: unknown, idempotencyKey: string): unknown {
  // The cast is safe: the inputs of all calls except pauses have a request.
  const identified = input as IdentifiedInput
  return { ...identified, request: { ...identified.request, idempotencyKey } }
}

/**
 * Returns the call with the idempotency key under which another run has started it, so that
 * services recognize it as a repeated call. Returns the call unchanged if `keys` has no entry for
 * it.
 */
export function withKeptKey(call: LeafCall, keys: KeptKeys | undefined): LeafCall {
  if (keys === undefined) return call
  const key = keyOf(call)
  if (key === null || !Object.hasOwn(keys, key)) return call
  return { ...call, input: withKey(call.input, keys[key] ?? key) }
}

/**
 * Returns a sink that emits generated text under the idempotency key that the call has in this run,
 * even if the service received another key.
 */
export function underOwnKey(call: LeafCall, live: DeltaSink): DeltaSink {
  const idempotencyKey = keyOf(call) ?? ""
  return {
    hasSubscribers: () => live.hasSubscribers(),
    emit: (request: CallIdentity, text) => live.emit({ ...request, idempotencyKey }, text),
    waits: (request, wait) => live.waits({ ...request, idempotencyKey }, wait),
  }
}

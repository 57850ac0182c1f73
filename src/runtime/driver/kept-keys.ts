import type { CallIdentity, ModelRequest } from "../../machines/contract/services.js"
import type { LeafCall, DeltaSink } from "./host.js"

/**
 * Idempotency keys under which calls were started in another run, by the idempotency keys that the
 * same calls have in this run.
 */
export type KeptKeys = Readonly<Record<string, string>>

interface IdentifiedInput {
  readonly request: CallIdentity
}

/** Returns the idempotency key of a call. Returns null for a pause. */
export function keyOf({ src, input }: Pick<LeafCall, "src" | "input">): string | null {
  return src === "sleepUntil" ? null : (input as IdentifiedInput).request.idempotencyKey
}

/** Returns the call with another idempotency key. The call must not be a pause. */
export function withKey(input: unknown, idempotencyKey: string): unknown {
  // The cast is safe: the inputs of all calls except pauses have a request.
  const identified = input as IdentifiedInput
  return { ...identified, request: { ...identified.request, idempotencyKey } }
}

/**
 * Returns the call with the idempotency key of the other run, so that a service recognizes the
 * repeated call. Returns the call unchanged if `keys` has no entry for it.
 */
export function withKeptKey(call: LeafCall, keys: KeptKeys | undefined): LeafCall {
  if (keys === undefined) return call
  const key = keyOf(call)
  if (key === null || !Object.hasOwn(keys, key)) return call
  return { ...call, input: withKey(call.input, keys[key] ?? key) }
}

/**
 * Returns a sink that emits generated text with the idempotency key that the call has in its own
 * run.
 */
export function underOwnKey(call: LeafCall, live: DeltaSink): DeltaSink {
  const idempotencyKey = keyOf(call) ?? ""
  return {
    hasSubscribers: () => live.hasSubscribers(),
    emit: (request: ModelRequest, text) => live.emit({ ...request, idempotencyKey }, text),
  }
}

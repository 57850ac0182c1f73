import type { CallIdentity } from "../../machines/contract/services.js"
import type { LeafCall, DeltaSink } from "./host.js"

/**
 * Idempotency keys of calls that an earlier run has already started. The key of the map is the key
 * of the call in this run, for example `r2/writer#1`. The value is the key that the earlier run
 * used.
 */
export type KeptKeys = Readonly<Record<string, string>>

interface IdentifiedInput {
  readonly request: CallIdentity
}

/** Returns the idempotency key of a call, or null for a pause (a call that only waits). */
export function keyOf({ src, input }: Pick<LeafCall, "src" | "input">): string | null {
  return src === "sleepUntil" ? null : (input as IdentifiedInput).request.idempotencyKey
}

/**
 * Returns a copy of a call's input with another idempotency key. Must not be used for a pause (a
 * call that only waits), because a pause has no idempotency key.
 */
export function withKey(input: unknown, idempotencyKey: string): unknown {
  // The cast is safe: the inputs of all calls except pauses contain a request.
  const identified = input as IdentifiedInput
  return { ...identified, request: { ...identified.request, idempotencyKey } }
}

/**
 * Returns a copy of the call with the idempotency key that another run used for the same call, so
 * that services recognize a repeated call. If `keys` has no entry for the call, returns the call
 * unchanged.
 */
export function withKeptKey(call: LeafCall, keys: KeptKeys | undefined): LeafCall {
  if (keys === undefined) return call
  const key = keyOf(call)
  if (key === null || !Object.hasOwn(keys, key)) return call
  return { ...call, input: withKey(call.input, keys[key] ?? key) }
}

/**
 * Wraps a `DeltaSink` so that the text of a call is always emitted under the idempotency key that
 * the call has in this run, even if the service received another key.
 */
export function underOwnKey(call: LeafCall, live: DeltaSink): DeltaSink {
  const idempotencyKey = keyOf(call) ?? ""
  return {
    hasSubscribers: () => live.hasSubscribers(),
    emit: (request: CallIdentity, text) => live.emit({ ...request, idempotencyKey }, text),
    waits: (request, wait) => live.waits({ ...request, idempotencyKey }, wait),
  }
}

/**
 * Name of the idempotency key in the `_meta` of a tool call. A repeated call has the same key, even
 * after a restart. If the `_meta` of a tool contains `true` under this name, repeating a call with
 * the same key has no further effect.
 */
export const idempotencyKey = "agent-statecharts/idempotency-key"

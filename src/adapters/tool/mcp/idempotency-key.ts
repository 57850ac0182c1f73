/**
 * Name of the field with the idempotency key in the `_meta` object of an MCP tool call. A repeated
 * call has the same key, even after a restart. If the `_meta` object of a tool declaration contains
 * `true` under this name, the server executes calls with the same key only once.
 */
export const idempotencyKey = "agent-statecharts/idempotency-key"

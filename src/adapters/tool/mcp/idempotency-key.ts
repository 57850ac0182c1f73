/**
 * Under this name in `_meta`, a call says which call it is: the same after a restart, and when it is made again. A tool that has `true` under
 * it does nothing twice under one key.
 */
export const idempotencyKey = "agent-statecharts/idempotency-key"

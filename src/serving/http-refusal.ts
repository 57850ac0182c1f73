import type { Context } from "hono"
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import { AgentStatechartsError } from "../errors.js"

/** What went wrong, as a server tells it. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly diagnostics?: readonly Diagnostic[]
}

/** A request that cannot be served, and the status that says so. */
export class HttpRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503
  readonly refusal: Refusal

  constructor(status: HttpRefusal["status"], refusal: Refusal) {
    super(refusal.message)
    this.status = status
    this.refusal = refusal
  }
}

const statuses: Readonly<Partial<Record<string, HttpRefusal["status"]>>> = {
  run_unknown: 404,
  run_owned: 409,
  run_exists: 409,
  run_finished: 409,
  run_suspended: 409,
  request_unknown: 409,
  request_expired: 409,
  journal_failed: 503,
}

/** Typed errors are told as they are; what else goes wrong is told without its inside. */
export function answerError(error: Error, context: Context): Response {
  if (error instanceof HttpRefusal) return context.json(error.refusal, error.status)
  if (error instanceof AgentStatechartsError)
    return context.json(
      { code: error.code, message: error.message } satisfies Refusal,
      statuses[error.code] ?? 400,
    )
  return context.json(
    { code: "internal", message: `the server failed: ${error.message}` } satisfies Refusal,
    500,
  )
}

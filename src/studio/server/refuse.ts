import type { Context } from "hono"
import { AgentStatechartsError } from "../../errors.js"
import type { Refusal } from "../api.js"

/** A request that cannot be served, and the status that says so. */
export class StudioRefusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 422
  readonly refusal: Refusal

  constructor(status: StudioRefusal["status"], refusal: Refusal) {
    super(refusal.message)
    this.status = status
    this.refusal = refusal
  }
}

const statuses: Readonly<Partial<Record<string, StudioRefusal["status"]>>> = { run_unknown: 404, run_owned: 409, run_exists: 409, run_finished: 409, run_suspended: 409 }

/** Typed errors are told as they are; what else goes wrong is told without its inside. */
export function answerError(error: Error, context: Context): Response {
  if (error instanceof StudioRefusal) return context.json(error.refusal, error.status)
  if (error instanceof AgentStatechartsError) return context.json({ code: error.code, message: error.message } satisfies Refusal, statuses[error.code] ?? 400)
  return context.json({ code: "internal", message: `the studio failed: ${error.message}` } satisfies Refusal, 500)
}

import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { Run } from "../../runtime/index.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import { takeAnswer } from "../answers/answer-script.js"

/**
 * A point at which a run can receive an answer. Either the run has a pending request, or its
 * conversation waits for the next user message. `idle` is the number of earlier waits for a user
 * message.
 */
export type AnswerPoint = { readonly request: PendingRequest } | { readonly idle: number }

/**
 * Executes a run and submits an answer each time the run waits, like the command `run --answers`.
 * `next` returns the answer, or null to stop.
 */
export async function answerRun(
  run: Run,
  next: (point: AnswerPoint) => AnswerEntry | null,
): Promise<RunResult> {
  let isIdle = false
  let idleCount = 0
  const events = run.events$.subscribe((event) => {
    if (event.type === "invocation.finished") isIdle = true
    else if (event.type === "user.said" || event.type === "run.finished") isIdle = false
  })
  try {
    let result = await run.whenSettled()
    while (result.status === "waiting" || isIdle) {
      const [request] = run.pending()
      const answer = isIdle
        ? next({ idle: idleCount++ })
        : request === undefined
          ? null
          : next({ request })
      if (answer === null) break
      await takeAnswer(answer, run)
      result = await run.whenSettled()
    }
    return result
  } finally {
    events.unsubscribe()
  }
}

import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { Run } from "../../runtime/index.js"
import type { ScriptedAnswer } from "../run/answer-script.js"
import { giveAnswer } from "../run/answer-script.js"

/** The point at which a run needs an answer: a pending request, or idle between two invocations. */
export type AnswerPoint = { readonly request: PendingRequest } | { readonly rest: number }

/** Executes a run as `run --answers` does, until `next` returns null. */
export async function answerRun(
  run: Run,
  next: (moment: AnswerPoint) => ScriptedAnswer | null,
): Promise<RunResult> {
  let rests = false
  let rested = 0
  const events = run.events$.subscribe((event) => {
    if (event.type === "invocation.finished") rests = true
    else if (event.type === "user.said" || event.type === "run.finished") rests = false
  })
  try {
    let result = await run.whenSettled()
    while (result.status === "waiting" || rests) {
      const [request] = run.pending()
      const answer = rests
        ? next({ rest: rested++ })
        : request === undefined
          ? null
          : next({ request })
      if (answer === null) break
      giveAnswer(answer, run)
      result = await run.whenSettled()
    }
    return result
  } finally {
    events.unsubscribe()
  }
}

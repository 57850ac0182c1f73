import type { PersonAct } from "../../analysis/index.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { SubmittedAnswer } from "../answers/answer-script.js"

/**
 * Creates a person's answer to a pending request. `does` is the person's action in the
 * counterexample. If it is null, the request is not part of the counterexample and gets a default
 * answer.
 */
export function answerTo(
  { id, kind, choices }: PendingRequest,
  does: PersonAct["does"] | null,
  value: unknown,
): SubmittedAnswer {
  switch (kind) {
    case "approval":
      return does === "reject" ? { reject: true, id } : { approve: true, id }
    case "input":
      return { user: typeof value === "string" && value !== "" ? value : "go on", id }
    case "tool":
      // Calls of several agents can have the same id.
      return { deliver: id, result: { done: true } }
    case "auth":
      return { answer: { secret: "token" }, id }
    case "human":
      return { answer: value ?? choices?.[0] ?? "ok", id }
  }
}

import type { Guardrail } from "../contract/guardrails/guardrails.js"
import type { Envelope, ModelAnswer } from "../contract/services.js"
import { emptyAnswer } from "../model-call/empty-answer.js"
import { type GuardrailInput, type GuardrailOutput, guardrailText } from "./guardrail.js"

/** How the turn of an agent continues after one of its guardrails has checked a text. */
export type GuardrailEffect =
  | { readonly type: "continue" }
  /** The turn continues with the replacement text instead of the checked text. */
  | { readonly type: "replace"; readonly text: string }
  /**
   * The model is called again and receives the reason for which the guardrail rejected its text.
   */
  | { readonly type: "repair"; readonly reason: string | null }
  /**
   * The turn continues with this result instead of the model's response. If the result is a
   * failure, the turn ends with it.
   */
  | { readonly type: "end"; readonly result: Envelope<ModelAnswer> }

/**
 * Determines how the turn continues after the check of a guardrail. If the check has no verdict,
 * the turn ends with the error of the check.
 */
export function effectOf(
  input: Pick<GuardrailInput, "on" | "guardrail" | "agent">,
  { verdict, error, at }: GuardrailOutput,
): GuardrailEffect {
  const { onTrip, answer = null } = input.guardrail
  if (verdict?.tripped === false) return { type: "continue" }
  if (verdict !== null) {
    const { reason, replacement } = verdict
    if (onTrip === "repair") return { type: "repair", reason }
    if (onTrip === "replace" && replacement !== null) return { type: "replace", text: replacement }
    if (onTrip === "answer")
      return { type: "end", result: { ok: true, value: { ...emptyAnswer, content: answer }, at } }
  }
  const text = guardrailText(input)
  const tripped = {
    code: "guardrail_tripped" as const,
    message: `${text} was tripped${whyOf(verdict?.reason ?? null, input.guardrail)}`,
  }
  const stopped = { code: "guardrail_failed" as const, message: `${text} was stopped` }
  const { code, message } = error ?? (verdict === null ? stopped : tripped)
  return { type: "end", result: { ok: false, error: { code, message, retryable: false }, at } }
}

function whyOf(reason: string | null, { onTrip }: Guardrail): string {
  const why = reason === null ? "" : `: ${reason}`
  return onTrip === "replace" ? `${why} (the verdict has no "replacement")` : why
}

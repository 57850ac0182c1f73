import type { Guardrail } from "../contract/guardrails/guardrails.js"
import type { Envelope, ModelAnswer } from "../contract/services.js"
import { emptyAnswer } from "../model-call/empty-answer.js"
import { type GuardrailInput, type GuardrailOutput, guardrailText } from "./guardrail.js"

/** How the turn of an agent continues after a guardrail has checked a text. */
export type GuardrailEffect =
  | { readonly type: "continue" }
  /** The replacement text is used instead of the checked text. */
  | { readonly type: "replace"; readonly text: string }
  /** The model is called again and receives the reason. */
  | { readonly type: "repair"; readonly reason: string | null }
  /**
   * The result is used instead of the model's response. If it is a failure, the turn ends with it.
   */
  | { readonly type: "end"; readonly result: Envelope<ModelAnswer> }

/**
 * Returns the effect of a guardrail's check. A check that fails ends the turn like a guardrail that
 * trips with `onTrip: "fail"`, but with its own error.
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

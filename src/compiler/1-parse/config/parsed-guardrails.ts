import type { OnTrip } from "../../../machines/contract/guardrails/guardrails.js"

/**
 * The parsed guardrails of an LlmAgent. `input` lists the checks of its input, `output` the checks
 * of its final texts.
 */
export interface ParsedGuardrails {
  readonly input: readonly ParsedGuardrail[]
  readonly output: readonly ParsedGuardrail[]
  /**
   * Whether the text of a response is withheld until the output guardrails have checked it. If
   * false, the text is streamed before the check.
   */
  readonly holdsText: boolean
}

/**
 * The parsed config of a guardrail, which is a check by a host function or by a model. `service` is
 * the name of the host function, or null if a model checks the text.
 */
export interface ParsedGuardrail {
  readonly name: string
  readonly service: string | null
  readonly instructions: string | null
  readonly model: string | null
  readonly mode: "before" | "beside"
  readonly onTrip: OnTrip
  readonly answer: string | null
  readonly maxRepairs: number | null
}

/**
 * Maps each value type that only occurs in guardrail configs to the TypeScript type of its parsed
 * values.
 */
export interface ParsedGuardrailValues {
  readonly guardrails: ParsedGuardrails
  readonly inputGuardrails: readonly ParsedGuardrail[]
  readonly outputGuardrails: readonly ParsedGuardrail[]
  readonly guardrailService: string
}

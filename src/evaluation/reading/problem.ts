/** Codes of the mistakes that prevent an evaluation, for example mistakes in eval sets. */
export type EvaluationMistakeCode =
  | "evalset_invalid"
  | "criterion_unknown"
  | "criterion_invalid"
  | "prices_missing"
  | "model_missing"
  | "nothing_to_evaluate"

/** Codes of the warnings that an evaluation can report. */
export type EvaluationWarningCode =
  | "part_unsupported"
  | "user_simulation_unsupported"
  | "criterion_unsupported"
  | "metric_failed"
  | "judge_failed"
  | "answer_unused"

/** A mistake in an evaluation file, or a warning about an evaluation. */
export interface EvaluationProblem {
  readonly code: EvaluationMistakeCode | EvaluationWarningCode
  readonly message: string
  readonly file: string
  /** JSON pointer to the location of the problem in `file`. */
  readonly at?: string
  /** Suggestion how the user can fix the problem. */
  readonly fix?: string
}

/** Collects the mistakes in one evaluation file. */
export interface MistakeList {
  readonly file: string
  readonly all: readonly EvaluationProblem[]
  add(code: EvaluationMistakeCode, pointer: string, message: string, fix: string): void
}

export function mistakesOf(file: string): MistakeList {
  const all: EvaluationProblem[] = []
  return {
    file,
    all,
    add: (code, pointer, message, fix) => void all.push({ code, message, file, at: pointer, fix }),
  }
}

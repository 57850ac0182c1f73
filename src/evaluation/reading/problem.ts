/** The codes of all mistakes that can be found in evaluation files. */
export type EvaluationMistakeCode =
  | "evalset_invalid"
  | "criterion_unknown"
  | "criterion_invalid"
  | "prices_missing"
  | "model_missing"
  | "nothing_to_evaluate"

/** The codes of all warnings that an evaluation can report. */
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
  /** JSON pointer to the location in the file. */
  readonly at?: string
  /** How the user can fix the problem. */
  readonly fix?: string
}

/** Collects the mistakes that are found in one file. */
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

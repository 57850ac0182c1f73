import type { PlannedCase } from "../plan/plan-evaluation.js"
import type { EvaluationProblem } from "../reading/problem.js"
import type { ScoredRun } from "./score-run.js"

/** Returns the warnings about a test case, for example about unused answers. */
export function caseWarnings(
  { evalCase, criteria }: PlannedCase,
  file: string,
  runs: readonly ScoredRun[],
): readonly EvaluationProblem[] {
  const { evalId, pointer, turns, needsSimulatedUser } = evalCase
  const warning = (
    code: EvaluationProblem["code"],
    message: string,
    fix: string,
  ): EvaluationProblem => ({ code, message: `case ${evalId}: ${message}`, file, at: pointer, fix })
  if (needsSimulatedUser)
    return [
      warning(
        "user_simulation_unsupported",
        "a conversation_scenario needs a simulated user, which is not supported",
        "Write the messages of the user as a conversation.",
      ),
    ]
  const parts = [...new Set(turns.flatMap(({ unsupportedParts }) => unsupportedParts))]
  const unused = [...new Set(runs.flatMap(({ unusedAnswers }) => unusedAnswers))]
  return [
    ...(parts.length === 0
      ? []
      : [
          warning(
            "part_unsupported",
            `the user message has parts that are not supported: ${parts.join(", ")}`,
            "Use parts with text, inline_data or file_data.",
          ),
        ]),
    ...unused.map((text) =>
      warning(
        "answer_unused",
        `the answer ${text}`,
        "Remove the answer, or move it to the turn that waits for it.",
      ),
    ),
    ...criteria.flatMap(({ name }) => {
      const scores = runs.flatMap((run) => run.scores[name] ?? [])
      const failedTurns = scores.reduce((sum, one) => sum + (one.failedJudgeTurns ?? 0), 0)
      const failure = scores.find(({ metricFailure }) => metricFailure !== undefined)
      return [
        ...(failedTurns === 0
          ? []
          : [
              warning(
                "judge_failed",
                `a call of the judge of ${name} failed in ${failedTurns === 1 ? "1 turn" : `${failedTurns} turns`}`,
                "Run the evaluation again when the model is available.",
              ),
            ]),
        ...(failure?.metricFailure === undefined
          ? []
          : [
              warning(
                "metric_failed",
                `the function of ${name} failed: ${failure.metricFailure}`,
                "Return { score } with a finite number or null.",
              ),
            ]),
      ]
    }),
  ]
}

import type { CriterionCheck, CriterionInput } from "../criteria/criterion.js"
import type { EvalCase, EvalTurn, Rubric } from "../eval-set/eval-set.js"
import { fieldOf } from "../reading/located-value.js"

/**
 * Reports rubrics with duplicate ids. Also reports a criterion that has no rubrics, neither in the
 * config nor in the cases.
 */
export function checkRubrics(
  { cases, report }: CriterionCheck,
  { name, options, mistakes }: Pick<CriterionInput, "name" | "options" | "mistakes">,
  own: readonly Rubric[],
  rubricsOf: (evalCase: EvalCase, turn: EvalTurn) => readonly Rubric[],
): void {
  const reported = new Set<string>()
  const checkUnique = (rubrics: readonly Rubric[], file: string): void => {
    const seen = new Set<string>()
    for (const [index, { id, pointer }] of rubrics.entries()) {
      const problemFile = index < own.length ? mistakes.file : file
      if (seen.has(id) && !reported.has(`${problemFile} ${pointer}`)) {
        reported.add(`${problemFile} ${pointer}`)
        report(
          problemFile,
          "evalset_invalid",
          `${pointer}/rubric_id`,
          `the rubric id ${JSON.stringify(id)} is used twice for ${name}`,
          "Give each rubric of a criterion and turn its own id.",
        )
      }
      seen.add(id)
    }
  }
  checkUnique(own, mistakes.file)
  let hasRubric = own.length > 0
  for (const { evalCase, file } of cases)
    for (const turn of evalCase.turns) {
      const rubrics = rubricsOf(evalCase, turn)
      hasRubric ||= rubrics.length > 0
      checkUnique(rubrics, file)
    }
  if (!hasRubric)
    report(
      mistakes.file,
      "criterion_invalid",
      fieldOf(options, "rubrics").pointer,
      `${name} has no rubric in the config and in the cases`,
      'Add rubrics: [{ "rubric_id": "short", "rubric_content": { "text_property": "The response is short." } }].',
    )
}

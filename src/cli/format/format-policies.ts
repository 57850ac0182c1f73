import type { PolicyDiagnostic } from "../../compiler/index.js"
import { commandName } from "../terminal/command-name.js"
import type { Paint } from "../terminal/paint.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { CheckedPolicies, PlacedResult } from "./checked-policies.js"
import { countsOf } from "./checked-policies.js"

/** Formats a problem in a policy file, with its position and a suggested fix. */
export function policyProblemText(
  { file, line, column, code, message, fix }: PolicyDiagnostic,
  paint: Paint,
): string {
  return `${oneLine(file ?? "policies")}:${line}:${column} ${paint.error("error")} ${oneLine(message)} [${code}]\n  Fix: ${oneLine(fix)}\n`
}

/**
 * Formats the verdict on each policy of one workflow, followed by the number of policies with each
 * verdict.
 */
export function policyLines(
  { results, warnings }: CheckedPolicies,
  paint: Paint,
): readonly string[] {
  const { proved, violated, unknown } = countsOf(results)
  const total = `${results.length} ${results.length === 1 ? "policy" : "policies"}`
  return [
    ...warnings.flatMap(({ file, line, column, message, fix, code }) => [
      `${oneLine(file)}:${line}:${column} ${paint.warning("warning")} ${oneLine(message)} [${code}]`,
      `  Fix: ${oneLine(fix)}`,
    ]),
    ...results.flatMap((result) => resultLines(result, paint)),
    `${total}: ${proved} proved, ${violated} violated, ${unknown} unknown`,
  ]
}

function resultLines(result: PlacedResult, paint: Paint): readonly string[] {
  const { file, line, column, name, verdict, vacuous, message, fix, counterexample } = result
  const word =
    verdict === "proved"
      ? paint.success(verdict)
      : verdict === "violated"
        ? paint.error(verdict)
        : paint.warning(verdict)
  const head = `${oneLine(file)}:${line}:${column} ${word} ${oneLine(name)}`
  const assumes = result.assumptions.map((assumption) => `  Assumes: ${oneLine(assumption)}`)
  if (verdict === "proved")
    return [...(vacuous ? [`${head} (vacuous)`, `  ${oneLine(message)}`] : [head]), ...assumes]
  const steps = (counterexample?.path ?? []).filter(({ does }) => does !== "")
  return [
    head,
    `  ${oneLine(message)}`,
    ...steps.map(({ does }, index) => `    ${index + 1}. ${oneLine(does)}`),
    ...assumes,
    ...(fix === null ? [] : [`  Fix: ${oneLine(fix)}`]),
    ...(counterexample?.play == null
      ? []
      : [
          counterexample.command === null
            ? "  Play it: repeat the command with --counterexamples FOLDER, which writes the files of the run."
            : `  Play it: ${oneLine(counterexample.command.replace(/^agent-statecharts(?= )/, commandName()))}`,
        ]),
  ]
}

import type { CaseResult, CriterionResult, EvaluationReport } from "../report/report.js"
import { runFailureText } from "./score-text.js"
import { type JUnitCase, type JUnitProblem, junitXml } from "./junit-xml.js"

/**
 * Formats an evaluation report as a JUnit report. Each eval set is a test suite, and each case is a
 * test case.
 */
export const reportJUnit = ({ agent, sets, errors }: EvaluationReport): string =>
  junitXml(`eval ${agent}`, [
    ...sets.map(({ file, evalSetId, cases }) => ({
      name: evalSetId,
      cases: Object.entries(cases).map(([evalId, result]) => junitCase(file, evalId, result)),
    })),
    ...(errors.length === 0
      ? []
      : [
          {
            name: "eval",
            cases: errors.map(({ code, file, at, message, fix }) => ({
              name: `${file}${at ?? ""}`,
              className: file,
              errors: [{ type: code, message, text: `${message}. ${fix ?? ""}`.trim() }],
            })),
          },
        ]),
  ])

function junitCase(file: string, evalId: string, result: CaseResult): JUnitCase {
  const criteria = Object.entries(result.criteria)
  const failures = criteria.flatMap(([name, criterion]): readonly JUnitProblem[] =>
    criterion.status === "FAILED" ? [failureOf(name, criterion)] : [],
  )
  const missing = criteria.flatMap(([name, { status }]) =>
    status === "NOT_EVALUATED" ? [name] : [],
  )
  return {
    name: evalId,
    className: file,
    seconds: result.duration,
    properties: Object.fromEntries([
      ...criteria.map(([name, { score }]) => [name, String(score ?? "")] as const),
      ...Object.entries(result.metrics).map(
        ([name, value]) => [name, String(value ?? "")] as const,
      ),
    ]),
    failures:
      result.status === "FAILED" && failures.length === 0 && result.error === undefined
        ? [{ type: "strict", message: `these criteria have no score: ${missing.join(", ")}` }]
        : failures,
    ...(result.error !== undefined && {
      errors: [{ type: result.error, message: runFailureText(result) }],
    }),
    ...(result.status === "NOT_EVALUATED" && { skipped: "no criterion was evaluated" }),
  }
}

function failureOf(
  name: string,
  { score, threshold, details = [] }: CriterionResult,
): JUnitProblem {
  const message = `score ${String(score)}, threshold ${threshold}`
  return {
    type: name,
    message: [message, ...details.slice(0, 1)].join(": "),
    text: [message, ...details].join("\n"),
  }
}

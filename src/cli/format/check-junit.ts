import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { JUnitCase, JUnitProblem } from "../../evaluation/format/junit-xml.js"
import { junitXml } from "../../evaluation/format/junit-xml.js"
import type { CheckProblem } from "./check-problems.js"
import { configProblems, policyFileProblem, verdictProblem } from "./check-problems.js"
import type { PlacedResult } from "./checked-policies.js"
import type { FileCheck } from "./print-file-checks.js"

/**
 * Formats the results of the command `check` as a JUnit report. Each workflow is a test suite, with
 * a test case for the config and a test case for each policy. An undecided policy is an error. With
 * `--allow-unknown`, it is a skipped test case.
 */
export function checkJunit(
  checked: readonly FileCheck[],
  policyProblems: readonly PolicyDiagnostic[],
  {
    failOn,
    allowUnknown,
  }: { readonly failOn: "error" | "warning"; readonly allowUnknown: boolean },
): string {
  const counts = ({ level }: CheckProblem): boolean =>
    level === "error" || (failOn === "warning" && level === "warning")
  const files = policyProblems.map(policyFileProblem)
  return junitXml("agent-statecharts check", [
    ...(files.length === 0
      ? []
      : [
          {
            name: "policy files",
            cases: files.map((problem): JUnitCase => ({
              name: `${problem.file}:${problem.line ?? 1}`,
              className: problem.file,
              errors: [junitProblem(problem)],
            })),
          },
        ]),
    ...checked.map((one) => ({
      name: one.file,
      cases: [
        {
          name: "config",
          className: one.file,
          failures: configProblems(one).filter(counts).map(junitProblem),
        },
        ...(one.policies?.results ?? []).map((result) =>
          policyCase(one.file, result, allowUnknown),
        ),
      ],
    })),
  ])
}

function policyCase(workflow: string, result: PlacedResult, allowUnknown: boolean): JUnitCase {
  const { name, verdict, file, line, message } = result
  const base: JUnitCase = {
    name,
    className: workflow,
    properties: { file, line: String(line), verdict },
  }
  const problem = junitProblem(verdictProblem(result))
  if (verdict === "violated") return { ...base, failures: [problem] }
  if (verdict === "proved") return base
  return allowUnknown ? { ...base, skipped: message } : { ...base, errors: [problem] }
}

const junitProblem = ({ code, message, fix, file, line, steps }: CheckProblem): JUnitProblem => ({
  type: code,
  message,
  text: [
    `${file}${line === null ? "" : `:${line}`} ${message}`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...(fix === null ? [] : [`Fix: ${fix}`]),
  ].join("\n"),
})

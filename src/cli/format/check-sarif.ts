import { isAbsolute, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { safeJson } from "../terminal/untrusted-text.js"
import type { CheckProblem } from "./check-problems.js"
import {
  configProblems,
  policyFileProblem,
  policyWarningsOf,
  verdictProblem,
} from "./check-problems.js"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { FileCheck } from "./print-file-checks.js"

/**
 * Formats the results of the command `check` as a SARIF 2.1.0 log, for example for GitHub code
 * scanning.
 */
export function checkSarif(
  checked: readonly FileCheck[],
  policyProblems: readonly PolicyDiagnostic[],
  version: string,
): string {
  const problems = [
    ...policyProblems.map(policyFileProblem),
    ...checked.flatMap((one) => [
      ...configProblems(one),
      ...policyWarningsOf(one),
      ...(one.policies?.results ?? []).map(verdictProblem),
    ]),
  ]
  const rules = new Map<string, number>()
  for (const { code } of problems) if (!rules.has(code)) rules.set(code, rules.size)
  return safeJson(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "agent-statecharts",
              version,
              rules: [...rules.keys()].map((id) => ({ id })),
            },
          },
          results: problems.map((problem) => resultOf(problem, rules.get(problem.code) ?? 0)),
        },
      ],
    },
    2,
  )
}

function resultOf(problem: CheckProblem, ruleIndex: number): object {
  const { code, level, message, fix, steps } = problem
  return {
    ruleId: code,
    ruleIndex,
    kind: level === "none" ? "pass" : "fail",
    level,
    message: { text: fix === null ? message : `${message}\nFix: ${fix}` },
    locations: [{ physicalLocation: physicalLocationOf(problem) }],
    ...(steps.length > 0 && {
      codeFlows: [
        {
          threadFlows: [
            {
              locations: steps.map((text) => ({
                location: { physicalLocation: physicalLocationOf(problem), message: { text } },
              })),
            },
          ],
        },
      ],
    }),
  }
}

const physicalLocationOf = ({ file, line, column }: CheckProblem): object => ({
  artifactLocation: { uri: uriOf(file) },
  ...(line !== null && {
    region: { startLine: line, ...(column !== null && { startColumn: column }) },
  }),
})

const uriOf = (file: string): string =>
  isAbsolute(file)
    ? pathToFileURL(file).href
    : encodeURI(file.split(sep).join("/")).replaceAll("#", "%23").replaceAll("?", "%3F")

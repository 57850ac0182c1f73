import type { CaseResult, EvalSetResult, EvaluationReport } from "../report/report.js"
import { limitedLines, type LimitedLines, tableRow } from "./limited-lines.js"
import { escapeMarkdown, fenced, problemItem } from "./markdown-text.js"
import {
  columnName,
  criteriaIn,
  differences,
  markOf,
  scoreText,
  summaryText,
} from "./score-text.js"

/**
 * Formats an evaluation report as Markdown for a pull request, with the counts, a table of the
 * cases, and the failures.
 */
export function reportMarkdown(report: EvaluationReport): string {
  const { sets, errors } = report
  const lines = limitedLines(`**${escapeMarkdown(summaryText(report))}**`)
  if (errors.length > 0) {
    lines.add("")
    for (const error of errors) lines.add(problemItem(error))
  }
  let omitted = 0
  for (const set of sets) omitted += addTable(set, lines)
  let hidden = 0
  for (const { cases } of sets)
    for (const [evalId, result] of Object.entries(cases))
      if (result.status === "FAILED" && !lines.add(failureText(evalId, result))) hidden++
  if (omitted > 0) lines.end(`${omitted} further cases are not listed.`)
  if (hidden > 0) lines.end(`The differences of ${hidden} failed cases are not listed.`)
  return lines.text()
}

/**
 * Adds a table with the cases of an eval set to the Markdown report. Returns the number of cases
 * that were omitted for lack of space.
 */
function addTable({ file, cases }: EvalSetResult, lines: LimitedLines): number {
  const entries = Object.entries(cases)
  const criteria = criteriaIn(cases)
  const head = [
    "",
    escapeMarkdown(file),
    ...criteria.map((name) => escapeMarkdown(columnName(name))),
  ]
  if (!lines.add(`\n${tableRow(head)}\n${tableRow(["---", "---", ...criteria.map(() => "---:")])}`))
    return entries.length
  let added = 0
  for (const [evalId, result] of entries) {
    const cells = criteria.map((name) => {
      const criterion = result.criteria[name]
      return criterion === undefined ? "-" : scoreText(criterion)
    })
    if (!lines.add(tableRow([markOf(result), escapeMarkdown(evalId), ...cells]))) break
    added++
  }
  return entries.length - added
}

function failureText(evalId: string, result: CaseResult): string {
  const text = differences(result, false)
    .map(({ criterion, lines }) => `${criterion}\n${lines.map((line) => `  ${line}`).join("\n")}`)
    .join("\n")
  return `\n<details><summary>${escapeMarkdown(evalId)}</summary>\n\n${fenced(text)}\n\n</details>`
}

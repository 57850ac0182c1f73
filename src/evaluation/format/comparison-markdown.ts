import type { ComparisonReport } from "../compare/comparison-report.js"
import {
  changeTexts,
  comparisonSummaryText,
  divergenceText,
  scoreChangeTexts,
  statusChange,
  verdictOf,
} from "./comparison-text.js"
import { limitedLines, tableRow } from "./limited-lines.js"
import { escapeMarkdown, problemItem } from "./markdown-text.js"

/**
 * Formats a comparison of two workflows as Markdown for a pull request. Lists regressed cases
 * first.
 */
export function comparisonMarkdown(report: ComparisonReport): string {
  const { sets, errors } = report
  const lines = limitedLines(`**${escapeMarkdown(comparisonSummaryText(report))}**`)
  for (const error of errors) lines.add(problemItem(error))
  let omitted = 0
  for (const { file, cases } of sets) {
    const entries = Object.entries(cases).sort(
      ([, one], [, other]) => order[verdictOf(one)] - order[verdictOf(other)],
    )
    const heads = ["A → B", escapeMarkdown(file), "scores", "changes", "first difference", "calls"]
    if (!lines.add(`\n${tableRow(heads)}\n${tableRow(heads.map(() => "---"))}`)) {
      omitted += entries.length
      continue
    }
    for (const [evalId, compared] of entries) {
      const { calls } = compared
      const cells = [
        statusChange(compared),
        escapeMarkdown(evalId),
        scoreChangeTexts(compared).map(escapeMarkdown).join("<br>"),
        changeTexts(compared).map(escapeMarkdown).join("<br>"),
        escapeMarkdown(divergenceText(compared)),
        calls === undefined
          ? ""
          : `${calls.made.models + calls.made.tools} made, ${calls.reused.models + calls.reused.tools} reused`,
      ]
      if (!lines.add(tableRow(cells))) omitted++
    }
  }
  if (omitted > 0) lines.end(`${omitted} further cases are not listed.`)
  return lines.text()
}

const order = { regressed: 0, improved: 1, unchanged: 2 } as const

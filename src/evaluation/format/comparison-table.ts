import type { ComparisonReport } from "../compare/comparison-report.js"
import {
  changeTexts,
  comparisonSummaryText,
  divergenceText,
  scoreChangeTexts,
  statusChange,
  verdictOf,
} from "./comparison-text.js"
import { indented, oneLineOf, type ReportTableOptions } from "./report-table.js"
import { differences } from "./score-text.js"

/** Formats a comparison of two workflows as the lines of a terminal table. */
export function comparisonTable(
  report: ComparisonReport,
  {
    escape = (text) => text,
    paint = (text) => text,
    details = false,
  }: Pick<ReportTableOptions, "escape" | "paint" | "details"> = {},
): readonly string[] {
  return [
    ...report.sets.flatMap(({ file, cases, added = [], removed = [] }) => [
      oneLineOf(file, escape),
      ...Object.entries(cases).flatMap(([evalId, compared]) => {
        const divergence = divergenceText(compared)
        const isShown = details || verdictOf(compared) !== "unchanged" || divergence !== ""
        const tools = compared.calledTools ?? []
        const lines = [
          ...scoreChangeTexts(compared),
          ...changeTexts(compared),
          ...(divergence === "" ? [] : [`first difference: ${divergence}`]),
          ...(tools.length === 0 ? [] : [`tools that were called: ${tools.join(", ")}`]),
          ...differences(compared.b, details).flatMap((difference) => difference.lines),
        ]
        return [
          `  ${paint(statusChange(compared), compared.b.status)} ${oneLineOf(evalId, escape)}`,
          ...(isShown ? lines.map((line) => indented(line, escape)) : []),
        ]
      }),
      ...added.map((evalId) => `  + ${oneLineOf(evalId, escape)}`),
      ...removed.map((evalId) => `  - ${oneLineOf(evalId, escape)}`),
      "",
    ]),
    comparisonSummaryText(report),
  ]
}

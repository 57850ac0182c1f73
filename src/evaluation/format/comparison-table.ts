import type { ComparisonReport } from "../compare/comparison-report.js"
import {
  changeTexts,
  comparisonSummaryText,
  divergenceText,
  scoreChangeTexts,
  statusChange,
  verdictOf,
} from "./comparison-text.js"
import type { ReportTableOptions } from "./report-table.js"

/** Formats a comparison as the lines of a table for a terminal. */
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
      escape(file),
      ...Object.entries(cases).flatMap(([evalId, compared]) => {
        const divergence = divergenceText(compared)
        const isShown = details || verdictOf(compared) !== "unchanged" || divergence !== ""
        const tools = compared.calledTools ?? []
        const lines = [
          ...scoreChangeTexts(compared),
          ...changeTexts(compared),
          ...(divergence === "" ? [] : [`first difference: ${divergence}`]),
          ...(tools.length === 0 ? [] : [`tools that were called: ${tools.join(", ")}`]),
        ]
        return [
          `  ${paint(statusChange(compared), compared.b.status)} ${escape(evalId)}`,
          ...(isShown ? lines.map((line) => `      ${escape(line)}`) : []),
        ]
      }),
      ...added.map((evalId) => `  + ${escape(evalId)}`),
      ...removed.map((evalId) => `  - ${escape(evalId)}`),
      "",
    ]),
    comparisonSummaryText(report),
  ]
}

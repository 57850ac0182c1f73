import { escapedJson } from "../../machines/data/safe-text.js"
import type { ComparisonReport } from "../compare/comparison-report.js"
import type { EvaluationReport } from "../report/report.js"
import { comparisonJUnit } from "./comparison-junit.js"
import { comparisonMarkdown } from "./comparison-markdown.js"
import { comparisonTable } from "./comparison-table.js"
import { reportJUnit } from "./report-junit.js"
import { reportMarkdown } from "./report-markdown.js"
import { reportTable } from "./report-table.js"

/** Output formats of an evaluation report. */
export type ReportFormat = "table" | "json" | "junit" | "markdown"

/**
 * Formats an evaluation report or a comparison of two workflows. The output is a terminal table,
 * JSON, JUnit XML, or Markdown for a pull request. In the JUnit report of a comparison, a case
 * fails if it has regressed.
 */
export function formatReport(
  report: EvaluationReport | ComparisonReport,
  format: ReportFormat,
): string {
  if (format === "json") return `${escapedJson(JSON.stringify(report, null, 2))}\n`
  if ("agents" in report)
    switch (format) {
      case "table":
        return `${comparisonTable(report).join("\n")}\n`
      case "junit":
        return comparisonJUnit(report)
      case "markdown":
        return comparisonMarkdown(report)
    }
  switch (format) {
    case "table":
      return `${reportTable(report).join("\n")}\n`
    case "junit":
      return reportJUnit(report)
    case "markdown":
      return reportMarkdown(report)
  }
}

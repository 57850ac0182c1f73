import type { EvaluationReport } from "../report/report.js"
import { reportJUnit } from "./report-junit.js"
import { reportMarkdown } from "./report-markdown.js"
import { reportTable } from "./report-table.js"

/** Formats of reports. */
export type ReportFormat = "table" | "json" | "junit" | "markdown"

/** Formats a report: a table for a terminal, JSON, JUnit XML, or Markdown for a pull request. */
export function formatReport(report: EvaluationReport, format: ReportFormat): string {
  switch (format) {
    case "table":
      return `${reportTable(report).join("\n")}\n`
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`
    case "junit":
      return reportJUnit(report)
    case "markdown":
      return reportMarkdown(report)
  }
}

import { formatReport } from "../../evaluation/format/format-report.js"
import { comparisonTable } from "../../evaluation/format/comparison-table.js"
import { reportTable, type ReportTableOptions } from "../../evaluation/format/report-table.js"
import type {
  ComparisonReport,
  EvaluationProblem,
  EvaluationReport,
} from "../../evaluation/index.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { writeResult } from "../files/write-result.js"
import { textWidth } from "../terminal/column-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeText } from "../terminal/untrusted-text.js"
import type { EvalOptions } from "./eval-options.js"

type Outputs = Pick<EvalOptions, "json" | "junit" | "markdown" | "details">

/** Throws a usage error if more than one report would be written to stdout. */
export function checkOutputs({ json, junit, markdown }: Outputs): void {
  const onStdout = [
    json === true || json === "-" ? "--json" : null,
    junit === "-" ? "--junit -" : null,
    markdown === "-" ? "--markdown -" : null,
  ].filter((name) => name !== null)
  if (onStdout.length > 1)
    throw new UsageProblem(
      `${onStdout.join(" and ")} both write to stdout. Write one of them to a file.`,
    )
}

/**
 * Writes the evaluation reports that the options select. If no report goes to stdout, prints a
 * table there.
 */
export async function writeReports(
  report: EvaluationReport | ComparisonReport,
  options: Outputs,
  terminal: Terminal,
): Promise<void> {
  const { json, junit, markdown } = options
  const isStdoutFree = json !== true && json !== "-" && junit !== "-" && markdown !== "-"
  if (isStdoutFree) printTable(report, options, terminal)
  for (const problem of report.errors) terminal.printError(problemText(problem, "error"))
  for (const problem of report.warnings) terminal.printError(problemText(problem, "warning"))
  if (json !== undefined)
    await writeResult(formatReport(report, "json"), json === true ? "-" : json, terminal)
  if (junit !== undefined) await writeResult(formatReport(report, "junit"), junit, terminal)
  if (markdown !== undefined)
    await writeResult(formatReport(report, "markdown"), markdown, terminal)
}

function printTable(
  report: EvaluationReport | ComparisonReport,
  { details = false }: Outputs,
  { print, paint }: Terminal,
): void {
  if (report.errors.length > 0) return
  const options: ReportTableOptions = {
    details,
    widthOf: textWidth,
    escape: safeText,
    paint: (text, status) =>
      status === "PASSED"
        ? paint.success(text)
        : status === "FAILED"
          ? paint.error(text)
          : paint.dim(text),
  }
  const lines = "agents" in report ? comparisonTable(report, options) : reportTable(report, options)
  for (const line of lines) print(line)
}

const problemText = (
  { code, message, file, at, fix }: EvaluationProblem,
  severity: "error" | "warning",
): string =>
  `${severity} ${code}: ${oneLine(`${file}${at === undefined || at === "" ? "" : ` ${at}`}: ${message}.${fix === undefined ? "" : ` ${fix}`}`)}`

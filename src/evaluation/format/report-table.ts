import type { CaseResult, EvalSetResult, EvaluationReport } from "../report/report.js"
import {
  columnName,
  criteriaIn,
  differences,
  markOf,
  scoreText,
  summaryText,
} from "./score-text.js"

/** Options for formatting an evaluation report as a terminal table. */
export interface ReportTableOptions {
  /** Whether to also show the differences from the expected results for passed criteria. */
  readonly details?: boolean
  /** Returns the width of a text in terminal columns. Default: the number of characters. */
  readonly widthOf?: (text: string) => number
  /**
   * Adds a color to the mark of a case (`✓`, `✗` or `-`), depending on the status of the case. By
   * default, marks have no colors.
   */
  readonly paint?: (text: string, status: CaseResult["status"]) => string
  /**
   * Escapes control characters in texts from models and files, so that they can be printed safely
   * in a terminal. By default, texts are not escaped.
   */
  readonly escape?: (text: string) => string
}

/** Escapes a text and replaces line breaks with spaces, so that it fits on one line. */
export const oneLineOf = (text: string, escape: (text: string) => string): string =>
  escape(text).replaceAll(/\s+/g, " ")

/** Escapes a text and indents all its lines, so that no line looks like a row of the table. */
export const indented = (text: string, escape: (text: string) => string): string =>
  `      ${escape(text).replaceAll("\n", "\n        ")}`

/** Formats an evaluation report as the lines of a terminal table. */
export function reportTable(
  report: EvaluationReport,
  options: ReportTableOptions = {},
): readonly string[] {
  return [
    ...report.sets.flatMap((set) => [...setLines(set, report, options), ""]),
    summaryText(report),
  ]
}

function setLines(
  { file, cases }: EvalSetResult,
  { warnings }: EvaluationReport,
  options: ReportTableOptions,
): readonly string[] {
  const {
    widthOf = (text) => [...text].length,
    escape = (text) => text,
    paint = (text) => text,
    details = false,
  } = options
  const name = (text: string): string => oneLineOf(text, escape)
  const criteria = criteriaIn(cases)
  const rows = Object.entries(cases).map(([evalId, result]) => ({
    evalId,
    result,
    name: name(evalId),
    cells: criteria.map((name) => {
      const criterion = result.criteria[name]
      return criterion === undefined ? "-" : scoreText(criterion)
    }),
  }))
  const heads = criteria.map((name) => oneLineOf(columnName(name), escape))
  const nameWidth = Math.max(widthOf(name(file)), ...rows.map(({ name }) => widthOf(name) + 4))
  const widths = heads.map((head, column) =>
    Math.max(widthOf(head), ...rows.map(({ cells }) => widthOf(cells[column] ?? ""))),
  )
  const left = (text: string, width: number): string =>
    text + " ".repeat(Math.max(0, width - widthOf(text)))
  const right = (texts: readonly string[]): string =>
    texts
      .map(
        (text, column) =>
          `  ${" ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)))}${text}`,
      )
      .join("")
  return [
    `${left(name(file), nameWidth)}${right(heads)}`.trimEnd(),
    ...rows.flatMap(({ evalId, name, result, cells }) => {
      const note = warnings
        .filter((warning) => warning.file === file && warning.message.startsWith(`case ${evalId}:`))
        .map(({ code }) => code)
        .join(" ")
      return [
        `  ${paint(markOf(result), result.status)} ${left(name, nameWidth - 4)}${right(cells)}${note === "" ? "" : `   ${note}`}`.trimEnd(),
        ...differences(result, details).flatMap(({ lines }) =>
          lines.map((line) => indented(line, escape)),
        ),
      ]
    }),
  ]
}

import type { CaseResult, EvalSetResult, EvaluationReport } from "../report/report.js"
import { escapeMarkdown, fenced } from "./markdown-text.js"
import {
  columnName,
  criteriaIn,
  differences,
  markOf,
  scoreText,
  summaryText,
} from "./score-text.js"

/** Maximum length of a report, in characters. GitHub accepts 65,536 in a comment. */
const maxLength = 60_000
/** Room for the line that counts the omitted cases. */
const reserved = 200

/** Formats a report for a pull request: the counts, a table of cases, and the failures. */
export function reportMarkdown(report: EvaluationReport): string {
  const { sets, errors } = report
  const lines = limitedLines(`**${escapeMarkdown(summaryText(report))}**`)
  if (errors.length > 0) {
    lines.add("")
    for (const { code, file, at, message, fix } of errors)
      lines.add(
        `- ${escapeMarkdown(code)}, ${escapeMarkdown(`${file}${at ?? ""}`)}: ${escapeMarkdown(message)}. ${escapeMarkdown(fix ?? "")}`.trimEnd(),
      )
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

/** Lines of a text with a maximum length. */
interface LimitedLines {
  /** Adds lines if there is room for them. Returns whether they were added. */
  add(text: string): boolean
  /** Adds a short last line. */
  end(text: string): void
  text(): string
}

function limitedLines(first: string): LimitedLines {
  const lines = [first]
  let length = first.length + 1
  return {
    add(text) {
      if (length + text.length + 1 > maxLength - reserved) return false
      lines.push(text)
      length += text.length + 1
      return true
    },
    end: (text) => void lines.push("", text),
    text: () => `${lines.join("\n")}\n`,
  }
}

/** Adds the table of a set. Returns the number of cases that were left out. */
function addTable({ file, cases }: EvalSetResult, lines: LimitedLines): number {
  const entries = Object.entries(cases)
  const criteria = criteriaIn(cases)
  const head = [
    "",
    escapeMarkdown(file),
    ...criteria.map((name) => escapeMarkdown(columnName(name))),
  ]
  if (!lines.add(`\n${row(head)}\n${row(["---", "---", ...criteria.map(() => "---:")])}`))
    return entries.length
  let added = 0
  for (const [evalId, result] of entries) {
    const cells = criteria.map((name) => {
      const criterion = result.criteria[name]
      return criterion === undefined ? "-" : scoreText(criterion)
    })
    if (!lines.add(row([markOf(result), escapeMarkdown(evalId), ...cells]))) break
    added++
  }
  return entries.length - added
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`

function failureText(evalId: string, result: CaseResult): string {
  const text = differences(result, false)
    .map(({ criterion, lines }) => `${criterion}\n${lines.map((line) => `  ${line}`).join("\n")}`)
    .join("\n")
  return `\n<details><summary>${escapeMarkdown(evalId)}</summary>\n\n${fenced(text)}\n\n</details>`
}

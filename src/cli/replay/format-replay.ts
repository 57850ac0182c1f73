import { limitedLines, tableRow } from "../../evaluation/format/limited-lines.js"
import { escapeMarkdown } from "../../evaluation/format/markdown-text.js"
import type { ReuseCounts } from "../../runtime/index.js"
import { costText } from "../../serving/cost-text.js"
import { clip, padTo, textWidth } from "../terminal/column-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { ReplayedRun, ReplayReport } from "./replay-report.js"

/**
 * Formats a replay report as a table of the runs whose outcome is changed or unknown, followed by
 * the totals.
 */
export function replayLines(
  { runs, failures, summary }: ReplayReport,
  { paint, size }: Pick<Terminal, "paint" | "size">,
): readonly string[] {
  const listed = Object.entries(runs).filter(([, { outcome }]) => outcome !== "unchanged")
  const rows = listed.map(([runId, run]) => [
    oneLine(runId),
    statusText(run),
    changesText(run),
    divergenceText(run),
    callsText(run.calls.made),
  ])
  const heads = ["run", "status", "changed", "first difference", "calls made"]
  const columns = Math.max(40, size().columns)
  const widths = heads.map((head, column) =>
    Math.min(
      column === 2 || column === 3 ? Math.floor(columns / 4) : 40,
      Math.max(...[head, ...rows.map((row) => row[column] ?? "")].map((cell) => textWidth(cell))),
    ),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => padTo(clip(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return [
    ...(rows.length === 0 ? [] : [paint.bold(line(heads)), ...rows.map(line), ""]),
    ...failures.map(
      ({ run, code, message }) => `${oneLine(run)}  ${paint.error(code)} ${oneLine(message)}`,
    ),
    ...totals(summary),
  ]
}

/**
 * Formats the totals of a replay report (runs, statuses, calls, tools, tokens and cost) as lines of
 * text.
 */
function totals(summary: ReplayReport["summary"]): readonly string[] {
  const { runs, changed, unchanged, unknown, texts, calls, tokens, cost } = summary
  const statuses = Object.entries(summary.statuses)
  const tools = Object.entries(summary.calledTools)
  return [
    `${countOf(runs, "run")}: ${changed} changed (${texts} with another text), ${unchanged} unchanged, ${unknown} unknown.`,
    ...statuses.map(([change, count]) => `Status ${change}: ${countOf(count, "run")}.`),
    `Calls made: ${callsText(calls.made)}. Calls reused: ${callsText(calls.reused)}.`,
    tools.length === 0
      ? "No tool was called."
      : `Tools that were called: ${tools.map(([tool, count]) => `${oneLine(tool)} (${countOf(count, "run")})`).join(", ")}.`,
    `Tokens: ${number(tokens.before)} before, ${number(tokens.after)} now.${cost.before === null || cost.after === null ? "" : ` Cost: ${costText(cost.before)} before, ${costText(cost.after)} now.`}`,
  ]
}

/** Formats a replay report as Markdown. Escapes texts from runs, so that they cannot add markup. */
export function replayMarkdown({ workflow, runs, failures, summary }: ReplayReport): string {
  const head = [
    `**Replay with ${markdownCell(workflow)}:** ${totals(summary)[0]}`,
    "",
    ...totals(summary)
      .slice(1)
      .map((line) => `- ${line.replace(/Tools that were called:.*/, () => toolList(summary))}`),
    ...failures.map(
      ({ run, code, message }) => `- ${markdownCell(run)}: ${code} ${markdownCell(message)}`,
    ),
    "",
  ]
  const listed = Object.entries(runs).filter(([, { outcome }]) => outcome !== "unchanged")
  if (listed.length === 0) return `${head.join("\n").trimEnd()}\n`
  const table = [
    "| Run | Status | Changed | First difference | Text before | Text now | Calls made | Tokens |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ]
  const lines = limitedLines([...head, ...table].join("\n"))
  let count = 0
  for (const [runId, run] of listed) {
    const cells = [
      markdownCell(runId),
      statusText(run),
      markdownCell(changesText(run)),
      markdownCell(divergenceText(run)),
      markdownCell(run.text.before ?? ""),
      markdownCell(run.text.after ?? ""),
      callsText(run.calls.made),
      `${number(run.tokens.before)} → ${number(run.tokens.after)}`,
    ]
    if (!lines.add(tableRow(cells))) break
    count++
  }
  const left = listed.length - count
  if (left > 0) lines.end(`${left} more runs are not listed.`)
  return lines.text()
}

const toolList = ({ calledTools }: ReplayReport["summary"]): string =>
  `Tools that were called: ${Object.entries(calledTools)
    .map(([tool, count]) => `${markdownCell(tool)} (${countOf(count, "run")})`)
    .join(", ")}.`

const statusText = ({ status, outcome }: ReplayedRun): string =>
  outcome === "unknown"
    ? `${status.before} → ?`
    : status.before === status.after
      ? status.after
      : `${status.before} → ${status.after}`

function changesText({ outcome, changed, unanswered }: ReplayedRun): string {
  if (outcome === "unknown") return `unknown: needs ${countOf(unanswered.length, "call")}`
  const { text, state, agents, states } = changed
  const parts = [
    ...(text ? ["text"] : []),
    ...(state.length === 0 ? [] : [`state ${state.map(oneLine).join(" ")}`]),
    ...agents.added.map((id) => `+${oneLine(id)}`),
    ...agents.removed.map((id) => `-${oneLine(id)}`),
  ]
  if (parts.length > 0) return parts.join(", ")
  const reached = states.added.length + states.removed.length
  return reached === 0 ? "status" : `${countOf(reached, "state")} reached`
}

const divergenceText = ({ firstDivergence }: ReplayedRun): string =>
  firstDivergence === null
    ? "-"
    : `${oneLine(firstDivergence.key)}${firstDivergence.differs.length === 0 ? "" : ` (${firstDivergence.differs.map(oneLine).join(", ")})`}`

const callsText = ({ models, tools }: ReuseCounts): string =>
  `${countOf(models, "model call")}, ${countOf(tools, "tool call")}`

const countOf = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? "" : "s"}`

const number = (value: number): string => value.toLocaleString("en-US")

/** Truncates a text from a run to 200 columns and escapes it for a Markdown table. */
const markdownCell = (text: string): string => escapeMarkdown(clip(oneLine(text), 200))

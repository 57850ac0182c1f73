import type { RunSummary, StoredRun } from "../../runtime/journal/journal.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { Terminal } from "../terminal/terminal.js"
import type { RunReference } from "./follow-up-commands.js"
import { answerCommands, resumeHint, storedServices } from "./follow-up-commands.js"
import { requestLines, requestTitle } from "./format-request.js"
import type { RunOptions } from "../options/run-options.js"
import { clip, padTo, textWidth } from "../terminal/column-text.js"
import { oneLine, safeName } from "../terminal/untrusted-text.js"

/**
 * Formats each stored run as one line with id, status, start time, chart, caller and pending
 * requests.
 */
export function runListLines(
  runs: readonly RunSummary[],
  { paint, size }: Terminal,
): readonly string[] {
  const ids = Math.max(...runs.map(({ runId }) => textWidth(oneLine(runId))))
  const charts = Math.min(30, Math.max(...runs.map(({ chart }) => textWidth(oneLine(chart)))))
  return runs.map((run) => {
    const { runId, chart, startedAt, pending } = run
    const caller = run.calledBy === undefined ? [] : [`called by ${run.calledBy.runId}`]
    const waits = [...caller, ...pending.map(requestTitle)].join(", ")
    const left = Math.max(20, size().columns - ids - charts - 36)
    return `${paint.bold(padTo(oneLine(runId), ids))}  ${padTo(statusLabel(run), 11)}  ${paint.dim(timeText(startedAt))}  ${padTo(clip(oneLine(chart), charts), charts)}  ${paint.dim(clip(oneLine(waits), left))}`.trimEnd()
  })
}

/**
 * Formats the details of a stored run (status, input, callers, child runs and pending requests) as
 * lines of text.
 */
export function runDetailLines(
  { header, records }: StoredRun,
  run: RunSummary,
  children: readonly RunSummary[],
  options: RunOptions,
  terminal: Terminal,
): readonly string[] {
  const { paint } = terminal
  const followed = { runId: run.runId, options, services: storedServices(header) }
  const { prompt, state } = header.input
  const facts: readonly (readonly [string, string])[] = [
    ["status", `${statusLabel(run)}${run.owner === null ? "" : ` (${oneLine(run.owner)})`}`],
    ["chart", `${oneLine(run.chart)} ${paint.dim(oneLine(header.chart.fingerprint.slice(0, 12)))}`],
    ["started", timeText(run.startedAt)],
    ["records", String(records.length)],
    ...(header.migrations ?? []).map(
      (before) =>
        [
          "migrated",
          `${timeText(before.at)}, after record ${before.records}, from the chart ${oneLine(before.chart.slice(0, 12))}`,
        ] as const,
    ),
    ...(run.calledBy === undefined
      ? []
      : [["caller", `${oneLine(run.calledBy.runId)} at ${safeName(run.calledBy.path)}`] as const]),
    ...children.map(
      (child) => ["child", `${oneLine(child.runId)} (${statusLabel(child)})`] as const,
    ),
    ...(prompt === null ? [] : [["prompt", clip(oneLine(textOfContent(prompt)), 100)] as const]),
    ...(Object.keys(state).length === 0
      ? []
      : [["state", clip(oneLine(JSON.stringify(state)), 100)] as const]),
  ]
  const hint = resumeHint(run, followed)
  const rest = hint === null ? [] : ["", hint]
  return [
    paint.bold(oneLine(run.runId)),
    ...facts.map(([name, value]) => `  ${padTo(name, 8)} ${value}`),
    ...(run.pending.length === 0 ? rest : ["", ...pendingLines(run, followed, terminal)]),
  ]
}

/** Formats the pending requests of a run, each with the shell commands that answer it. */
export function pendingLines(
  { runId, pending }: RunSummary,
  followed: RunReference,
  { paint }: Terminal,
): readonly string[] {
  return pending.flatMap((request) => [
    `${paint.bold(oneLine(runId))}  ${requestTitle(request)} ${paint.dim(`(${safeName(request.id)}, ${request.kind})`)}`,
    ...requestLines(request).map((line) => `  ${line}`),
    ...answerCommands(request, pending, followed).map((command) => `  ${paint.dim(command)}`),
  ])
}

const statusLabel = ({ status, owner }: RunSummary): string =>
  status === "running" && owner === null ? "interrupted" : status

/** Formats a time in milliseconds since the epoch as local time, for example `2025-03-09 14:05`. */
function timeText(at: number): string {
  const time = new Date(at)
  const two = (number: number): string => String(number).padStart(2, "0")
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`
}

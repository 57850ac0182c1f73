import type { Paint } from "../terminal/paint.js"
import type { AgentStatus } from "../../serving/display/agent-progress.js"
import { isActive } from "../../serving/display/agent-progress.js"
import type { AgentRow, AgentTree } from "./agent-tree.js"
import type { TreeLine } from "./fold-tree.js"
import { allLines, foldedLines } from "./fold-tree.js"
import { clip, clipStart, duration, padTo, textWidth } from "../terminal/column-text.js"
import { oneLine } from "../terminal/untrusted-text.js"

/** Time and screen size with which the agent tree is rendered. */
export interface TreeFrame {
  readonly now: number
  /**
   * Number of times that the tree has been redrawn. It selects the current frame in the animation
   * of active agents.
   */
  readonly tick: number
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
}

/** Width of the elapsed time of an agent, in terminal columns. */
const timeColumns = 9

const spinner = ["◐", "◓", "◑", "◒"]

/**
 * Renders the agent tree as lines that fit the screen. Each line shows a marker, the name, time and
 * activity of an agent. If the tree has too many lines, finished and idle agents are combined, so
 * that active agents stay visible.
 */
export function treeRows(tree: AgentTree, frame: TreeFrame): readonly string[] {
  const warnings = tree.warnings
    .slice(-3)
    .map((text) => frame.paint.warning(clip(`! ${oneLine(text)}`, frame.columns - 1)))
  const room = Math.max(3, frame.rows - 2 - warnings.length)
  const all = allLines(tree.roots)
  const lines = all.length <= room ? all : foldedLines(tree.roots)
  const shown = lines.length <= room ? lines : mostUrgent(lines, room - 1)
  const names = Math.min(
    Math.max(...shown.map((line) => textWidth(line.lead) + textWidth(textOf(line))), 0),
    Math.floor(frame.columns / 2),
  )
  const hidden = all.length - shown.reduce((sum, line) => sum + agentsOn(line), 0)
  return [
    ...shown.map((line) =>
      line.kind === "fold" ? foldLine(line, frame) : rowLine(line, names, frame),
    ),
    ...(hidden === 0 ? [] : [frame.paint.dim(`  … ${hidden} more agents`)]),
    ...warnings,
  ]
}

/**
 * Selects the lines to show if the shortened agent tree is still too long. Prefers active and
 * failed agents. The selected lines stay in tree order.
 */
function mostUrgent(all: readonly TreeLine[], room: number): readonly TreeLine[] {
  const urgency = (line: TreeLine): number => {
    if (line.kind === "fold") return line.of === "idle" ? 4 : 3
    const { progress, children } = line.row
    if (progress.status === "failed") return 1
    if (isActive(progress)) return children.length === 0 ? 0 : 2
    return progress.status === "idle" ? 4 : 3
  }
  const kept = new Set([...all].sort((one, other) => urgency(one) - urgency(other)).slice(0, room))
  return all.filter((line) => kept.has(line))
}

/** Returns the number of agents that a line of the tree represents. */
const agentsOn = (line: TreeLine): number => (line.kind === "fold" ? line.count : 1 + line.folded)

const textOf = (line: TreeLine): string =>
  line.kind === "fold" ? `${line.count} ${line.of}` : nameOf(line.row)

const nameOf = ({ agent, progress: { iteration } }: AgentRow): string =>
  `${oneLine(agent)}${iteration === null ? "" : ` ×${iteration}`}`

const foldLine = (
  { of, lead, count }: Extract<TreeLine, { kind: "fold" }>,
  { tick, paint, columns }: TreeFrame,
): string =>
  `${paint.dim(lead)}${marker(of === "finished" ? "done" : "idle", tick, paint)} ${paint.dim(clip(`${count} ${of}`, columns - textWidth(lead) - 3))}`

function rowLine(
  { row, lead, folded }: Extract<TreeLine, { kind: "agent" }>,
  names: number,
  { now, tick, columns, paint }: TreeFrame,
): string {
  const { children, container, progress } = row
  const { status, activity, text, partialText, startedAt, finishedAt } = progress
  const time = startedAt === null ? "" : duration((finishedAt ?? now) - startedAt)
  const name = clip(nameOf(row), names - textWidth(lead))
  const room = columns - 1 - names - 2 - timeColumns - 2
  // The text of a container comes from an agent inside it.
  const inside = folded === 0 ? "" : `, ${folded} agents inside`
  const result = text === null || children.length > 0 ? `${container}${inside}` : text
  const note =
    partialText === ""
      ? clip(oneLine(activity === "" ? result : activity), room)
      : clipStart(oneLine(partialText), room)
  const marked = `${paint.dim(lead)}${marker(status, tick, paint)} ${paint.bold(name)}`
  const gap = " ".repeat(Math.max(0, names - textWidth(lead) - textWidth(name)))
  const paintNote = activity === "" ? paint.dim : noteColor(status, paint)
  return `${marked}${gap} ${paint.dim(padTo(time.padStart(timeColumns), timeColumns))}  ${paintNote(note)}`.trimEnd()
}

function marker(status: AgentStatus, tick: number, paint: Paint): string {
  switch (status) {
    case "idle":
      return paint.dim("·")
    case "working":
      return paint.active(spinner[tick % spinner.length] ?? "◐")
    case "retrying":
      return paint.warning("↻")
    case "waiting":
      return paint.warning("?")
    case "skipped":
      return paint.dim("–")
    case "done":
    case "exited":
      return paint.success("✔")
    case "escalated":
      return paint.success("↑")
    case "handedOff":
      return paint.success("→")
    case "failed":
      return paint.error("✖")
    case "limited":
    case "stopped":
      return paint.error("■")
  }
}

function noteColor(status: AgentStatus, paint: Paint): (text: string) => string {
  if (status === "retrying" || status === "waiting") return paint.warning
  return status === "working" ? paint.active : paint.dim
}

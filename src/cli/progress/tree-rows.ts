import type { Paint } from "../terminal/paint.js"
import type { AgentRow, AgentTree } from "./agent-tree.js"
import { clip, clipStart, duration, padTo, textWidth } from "../terminal/column-text.js"
import { oneLine } from "../terminal/untrusted-text.js"

export interface Frame {
  readonly now: number
  /** Frame counter that animates the marker of active agents. */
  readonly beat: number
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
}

const turning = ["◐", "◓", "◑", "◒"]

/**
 * Renders the agent tree as lines that fit the screen: marker, name, time and activity of each
 * agent.
 */
export function treeRows(tree: AgentTree, frame: Frame): readonly string[] {
  const warnings = tree.warnings
    .slice(-3)
    .map((text) => frame.paint.warn(clip(`! ${oneLine(text)}`, frame.columns - 1)))
  const room = Math.max(3, frame.rows - 2 - warnings.length)
  const all = tree.roots.flatMap((root) => listed(root, "", ""))
  const shown = all.length <= room ? all : mostUrgent(all, room - 1)
  const names = Math.min(
    Math.max(...shown.map(({ lead, row }) => textWidth(lead) + textWidth(nameOf(row))), 0),
    Math.floor(frame.columns / 2),
  )
  const hidden = all.length - shown.length
  return [
    ...shown.map((line) => rowLine(line, names, frame)),
    ...(hidden === 0 ? [] : [frame.paint.dim(`  … ${hidden} more agents`)]),
    ...warnings,
  ]
}

interface Listed {
  readonly row: AgentRow
  /** Tree lines in front of the row. */
  readonly lead: string
}

function listed(row: AgentRow, lead: string, below: string): readonly Listed[] {
  const inner = row.children.flatMap((child, index) => {
    const last = index === row.children.length - 1
    return listed(child, `${below}${last ? "└ " : "├ "}`, `${below}${last ? "  " : "│ "}`)
  })
  return [{ row, lead }, ...inner]
}

/** Selects the rows to show when there is not enough space: active agents first, in tree order. */
function mostUrgent(all: readonly Listed[], room: number): readonly Listed[] {
  const urgency = ({ row }: Listed): number =>
    isOpen(row) ? 0 : row.status === "failed" ? 1 : row.status === "idle" ? 3 : 2
  const kept = new Set([...all].sort((one, other) => urgency(one) - urgency(other)).slice(0, room))
  return all.filter((line) => kept.has(line))
}

const isOpen = ({ status }: AgentRow): boolean =>
  status === "working" || status === "retrying" || status === "waiting"

const nameOf = ({ agent, iteration }: AgentRow): string =>
  `${oneLine(agent)}${iteration === null ? "" : ` ×${iteration}`}`

function rowLine(
  { row, lead }: Listed,
  names: number,
  { now, beat, columns, paint }: Frame,
): string {
  const { startedAt, endedAt, children } = row
  const time = startedAt === null ? "" : duration((endedAt ?? now) - startedAt)
  const name = clip(nameOf(row), names - textWidth(lead))
  const left = columns - 1 - names - 2 - 11
  // The text of a container comes from an agent inside it.
  const says = row.text === null || children.length > 0 ? row.container : row.text
  const note =
    row.saying === ""
      ? clip(oneLine(row.note === "" ? says : row.note), left)
      : clipStart(oneLine(row.saying), left)
  const signed = `${paint.dim(lead)}${sign(row, beat, paint)} ${paint.bold(name)}`
  const gap = " ".repeat(Math.max(0, names - textWidth(lead) - textWidth(name)))
  return `${signed}${gap} ${paint.dim(padTo(time.padStart(9), 9))}  ${row.note === "" ? paint.dim(note) : noteColour(row, paint)(note)}`.trimEnd()
}

function sign({ status }: AgentRow, beat: number, paint: Paint): string {
  switch (status) {
    case "idle":
      return paint.dim("·")
    case "working":
      return paint.busy(turning[beat % turning.length] ?? "◐")
    case "retrying":
      return paint.warn("↻")
    case "waiting":
      return paint.warn("?")
    case "skipped":
      return paint.dim("–")
    case "done":
    case "exited":
      return paint.good("✔")
    case "escalated":
      return paint.good("↑")
    case "handedOff":
      return paint.good("→")
    case "failed":
      return paint.bad("✖")
    case "limited":
    case "stopped":
      return paint.bad("■")
  }
}

function noteColour({ status }: AgentRow, paint: Paint): (text: string) => string {
  if (status === "retrying" || status === "waiting") return paint.warn
  return status === "working" ? paint.busy : paint.dim
}

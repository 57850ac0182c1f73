import { isActive } from "../../serving/display/agent-progress.js"
import type { AgentRow } from "./agent-tree.js"

/**
 * One line of the displayed agent tree: one agent, or several sibling agents combined in one line.
 */
export type TreeLine =
  | {
      readonly kind: "agent"
      readonly row: AgentRow
      readonly lead: string
      readonly folded: number
    }
  | { readonly kind: "fold"; readonly of: Quiet; readonly count: number; readonly lead: string }

/**
 * The status of agents that can be hidden. `finished`: all have finished without an error. `idle`:
 * none has started.
 */
type Quiet = "finished" | "idle"

/** A row of the agent tree, with a summary of its subtree. */
interface Branch {
  readonly row: AgentRow
  readonly branches: readonly Branch[]
  /**
   * The common status of the subtree if it can be hidden. null: an agent in it must stay visible,
   * for example an active or failed agent.
   */
  readonly quiet: Quiet | null
  /** Number of agents in the subtree, including this agent. */
  readonly count: number
}

/** Returns the lines of the agent tree, with one line for each agent. */
export const allLines = (roots: readonly AgentRow[]): readonly TreeLine[] =>
  roots.flatMap((root) => linesOf(summarize(root), "", "", false))

/**
 * Returns the lines of the shortened agent tree. Agents inside a finished agent are hidden.
 * Adjacent siblings share one line if all have finished or none has started.
 */
export const foldedLines = (roots: readonly AgentRow[]): readonly TreeLine[] =>
  roots.flatMap((root) => linesOf(summarize(root), "", "", true))

function summarize(row: AgentRow): Branch {
  const branches = row.children.map(summarize)
  const own = quietOf(row)
  return {
    row,
    branches,
    // A finished container can contain agents that never started, such as unused handoff targets.
    quiet: branches.every(({ quiet }) => quiet === own || (quiet === "idle" && own === "finished"))
      ? own
      : null,
    count: branches.reduce((sum, { count }) => sum + count, 1),
  }
}

function quietOf({ progress }: AgentRow): Quiet | null {
  if (isActive(progress)) return null
  switch (progress.status) {
    case "idle":
      return "idle"
    case "done":
    case "exited":
    case "escalated":
    case "handedOff":
    case "skipped":
      return "finished"
    default:
      return null
  }
}

function linesOf(
  { row, branches, quiet, count }: Branch,
  lead: string,
  below: string,
  isFolding: boolean,
): readonly TreeLine[] {
  if (isFolding && quiet !== null) return [{ kind: "agent", row, lead, folded: count - 1 }]
  const groups = isFolding ? groupsOf(branches) : branches.map((branch) => [branch])
  const inner = groups.flatMap((group, index) => {
    const isLast = index === groups.length - 1
    const start = `${below}${isLast ? "└ " : "├ "}`
    const [first, ...others] = group
    if (first === undefined) return []
    if (others.length > 0 && first.quiet !== null) {
      const agents = group.reduce((sum, branch) => sum + branch.count, 0)
      return [{ kind: "fold", of: first.quiet, count: agents, lead: start } as const]
    }
    return linesOf(first, start, `${below}${isLast ? "  " : "│ "}`, isFolding)
  })
  return [{ kind: "agent", row, lead, folded: 0 }, ...inner]
}

/**
 * Groups adjacent branches that are all finished or all idle. Each other branch forms its own
 * group.
 */
function groupsOf(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const groups: Branch[][] = []
  for (const branch of branches) {
    const last = groups.at(-1)
    if (last !== undefined && branch.quiet !== null && last[0]?.quiet === branch.quiet)
      last.push(branch)
    else groups.push([branch])
  }
  return groups
}

import { isActive } from "../../serving/display/agent-progress.js"
import type { AgentRow } from "./agent-tree.js"

/**
 * A line in the displayed tree of agents. It shows one agent, or several sibling agents that are
 * combined.
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
 * Status of agents that can be hidden in the displayed tree. `finished` means that all have
 * finished without an error. `idle` means that none has started.
 */
type Quiet = "finished" | "idle"

/** A row in the displayed tree of agents, with a summary of its subtree. */
interface Branch {
  readonly row: AgentRow
  readonly branches: readonly Branch[]
  /**
   * Status of the subtree if it can be hidden (`finished` or `idle`). Null if it must stay visible,
   * for example because an agent is active or has failed.
   */
  readonly quiet: Quiet | null
  /** Number of agents in the subtree, including the agent of this row. */
  readonly count: number
}

/** Returns all lines of the displayed agent tree, one for each agent. */
export const allLines = (roots: readonly AgentRow[]): readonly TreeLine[] =>
  roots.flatMap((root) => linesOf(summarize(root), "", "", false))

/**
 * Returns the lines of a shortened agent tree. Hides the agents inside a finished agent. Combines
 * adjacent siblings in one line if all have finished or none has started.
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
 * Groups adjacent subtrees in which all agents have finished, or in which no agent has started.
 * Each other subtree forms a group of its own.
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

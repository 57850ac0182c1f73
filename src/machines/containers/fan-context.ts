import type { AgentChart } from "../contract/agent-chart.js"
import type { FailurePolicy, ForEach } from "../contract/chart-machine.js"
import type { History } from "../contract/history.js"
import type { LinkedList } from "../data/linked-list.js"
import { linksOf } from "../data/linked-list.js"
import type { AgentLocation, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"

/**
 * The settings of a parallel block whose branches are child actors of the machine `fan`. The chart
 * passes the settings to this machine as input.
 */
interface FanBlock {
  /**
   * The branches in declaration order. A block with `forEach` has one entry, which runs once for
   * each item.
   */
  readonly branches: readonly FanBranch[]
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /**
   * If set, the model signal `exitFlow` in a branch ends only the turn of the agent that received
   * it. If absent, it ends the workflow.
   */
  readonly subAgentExitFlow?: "agent"
  /**
   * Number of branches that must succeed. The block then ends. If absent, the block ends when all
   * branches have ended.
   */
  readonly quorum?: number
  readonly forEach?: ForEach
  /**
   * Effect of an escalation. `cancel`: if the agent of a branch escalates itself, the block ends
   * and the other branches are cancelled. If absent, the other branches continue.
   */
  readonly onEscalate?: "cancel"
}

export interface FanBranch {
  readonly agent: string
  readonly src: string
  readonly segment: string
  /**
   * The `when` condition of the branch. Set only if the block has a quorum and the branch has a
   * condition.
   */
  readonly when?: string
}

export type FanInput = TurnInput & { readonly fan: FanBlock }

export interface FanContext {
  readonly input: FanInput
  readonly rules: AgentChart["settings"]["stateMerge"]
  at: number
  state: SessionState
  /** The items of `forEach`. null if the block has no `forEach`, or if its items are invalid. */
  items: readonly unknown[] | null
  /** Index of the next branch to start. Branches start in declaration order. */
  next: number
  /** Number of running branches. A branch that waits for a person is not counted. */
  atWork: number
  pausedBranches: number
  results: LinkedList<BranchResult> | null
  finished: number
  /**
   * The reason why the block ends before all branches have ended, or null. `refused`: the block
   * failed before a branch started. `reached`: the quorum is reached. `escalated`: a branch
   * escalated, which cancels the other branches. The other values are the outcome of the branch
   * that ends the block.
   */
  ending: "limited" | "exited" | "failed" | "stopped" | "refused" | "reached" | "escalated" | null
  escalated: boolean
  failures: number
  successes: number
  /** Whether the block skips all of its branches because their `when` conditions are false. */
  skipsAll: boolean
  paused: boolean
  text: string | null
  newEntries: History
  escalates: boolean
  signal: Outcome | null
  error: RunError | null
}

export interface BranchResult {
  readonly index: number
  readonly output: TurnOutput
}

export const fanContext = (input: FanInput, chart: AgentChart): FanContext => ({
  input,
  rules: chart.settings.stateMerge,
  at: input.at,
  state: forkState(input.state),
  items: null,
  next: 0,
  atWork: 0,
  pausedBranches: 0,
  results: null,
  finished: 0,
  ending: null,
  escalated: false,
  failures: 0,
  successes: 0,
  skipsAll: false,
  paused: false,
  text: null,
  newEntries: [],
  escalates: false,
  signal: null,
  error: null,
})

export const fanLocation = ({ agent, path, branch }: TurnInput): AgentLocation => ({
  agent,
  path,
  branch,
})

export const branchName = ({ input }: FanContext, index: number): string =>
  `${input.branch === null ? "" : `${input.branch}.`}${input.agent}.${index}`

export const branchCount = ({ input: { fan }, items }: FanContext): number =>
  fan.forEach === undefined ? fan.branches.length : (items?.length ?? 0)

export function branchAt({ input: { fan } }: FanContext, index: number): FanBranch {
  const branch = fan.branches[fan.forEach === undefined ? index : 0]
  if (branch === undefined)
    throw new TypeError(`the parallel block does not have a branch with the index ${index}`)
  return branch
}

/** Returns the results of the branches that have ended, in declaration order. */
export const resultsInOrder = ({ results }: FanContext): readonly BranchResult[] =>
  linksOf(results).toSorted((one, other) => one.index - other.index)

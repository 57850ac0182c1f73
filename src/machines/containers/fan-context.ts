import type { AgentChart } from "../contract/agent-chart.js"
import type { FailurePolicy, ForEach } from "../contract/chart-machine.js"
import type { History } from "../contract/history.js"
import type { LinkedList } from "../contract/linked-list.js"
import { linksOf } from "../contract/linked-list.js"
import type { AgentLocation, Outcome, RunError } from "../contract/run-event.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import type { SessionState } from "../data/session-state.js"
import { forkState } from "../data/session-state.js"

/** A parallel block, in the form in which the chart stores it as the input of its fan. */
interface FanBlock {
  /** The branches in declaration order. With `forEach`, the only entry is run for each item. */
  readonly branches: readonly FanBranch[]
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /**
   * Effect of `exitFlow` in a branch. `agent`: it ends only the turn of this branch. Absent: it
   * ends the workflow.
   */
  readonly subAgentExitFlow?: "agent"
  /** Number of successful branches that completes the block; absent: all branches must end. */
  readonly quorum?: number
  readonly forEach?: ForEach
  /** "cancel": a branch whose own agent escalates ends the block. Otherwise all branches end. */
  readonly onEscalate?: "cancel"
}

export interface FanBranch {
  readonly agent: string
  readonly src: string
  readonly segment: string
  /** The `when` condition of the branch. Only set in a block with a quorum. */
  readonly when?: string
}

export type FanInput = TurnInput & { readonly fan: FanBlock }

export interface FanContext {
  readonly input: FanInput
  readonly rules: AgentChart["settings"]["stateMerge"]
  at: number
  state: SessionState
  /** The items of `forEach`; null if the block has no `forEach` or if its items are invalid. */
  items: readonly unknown[] | null
  /** Index of the next branch to start. */
  next: number
  atWork: number
  pausedBranches: number
  results: LinkedList<BranchResult> | null
  finished: number
  /**
   * Outcome that ends the whole block before all branches have ended; null if there is none.
   * `refused`: no branch starts. `reached`: the completion of the block is reached. `escalated`: a
   * branch escalated, which cancels the others.
   */
  ending: "limited" | "exited" | "failed" | "stopped" | "refused" | "reached" | "escalated" | null
  escalated: boolean
  failures: number
  successes: number
  /** Whether the block is known to skip all of its branches. */
  skipsAll: boolean
  paused: boolean
  text: string | null
  spoken: History
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
  spoken: [],
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
  if (branch === undefined) throw new TypeError(`the block has no branch ${index}`)
  return branch
}

/** Returns the results of the branches that have ended, in declaration order. */
export const resultsInOrder = ({ results }: FanContext): readonly BranchResult[] =>
  linksOf(results).toSorted((one, other) => one.index - other.index)

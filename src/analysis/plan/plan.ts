import type { AgentKind } from "../../machines/contract/chart-machine.js"

/**
 * The possible executions of a machine as a tree: which agents run, in which order, and how often
 * at most.
 */
export type Plan = LeafPlan | GroupPlan | TeamPlan | MachinePlan

/** An agent, and where it is used in its machine. */
export interface PlannedAgent {
  readonly agent: string
  readonly kind: AgentKind
  /** Path in its machine, such as `pipeline/rounds[*]/writer`. */
  readonly path: string
}

/** One turn of an LlmAgent, one question to a person, or one call of a node's host function. */
export interface LeafPlan extends PlannedAgent {
  readonly type: "turn" | "human" | "code"
}

/** Plans that are all executed, in order or in parallel, up to `times` times. */
export interface GroupPlan extends PlannedAgent {
  readonly type: "group"
  readonly order: "in order" | "parallel" | "any"
  /**
   * Maximum iterations of a loop, or cycles of the root. Infinity: the chart contains no maximum.
   */
  readonly times: number
  /** The setting that limits `times`. null: the maximum of a loop, or no limit. */
  readonly timesBy: "maxOrchestrationCycles" | "maxIterations" | null
  readonly children: readonly PlanChild[]
  readonly exitCondition: string | null
  readonly outputKey: string | null
}

export interface PlanChild {
  readonly plan: Plan
  readonly when: string | null
  /**
   * Maximum runs in each round. 0: it provably never runs. Infinity: it is in a cycle without a
   * counter.
   */
  readonly times: number
}

/** A handoff team. One member at a time is active. */
export interface TeamPlan extends PlannedAgent {
  readonly type: "team"
  readonly members: readonly TeamMember[]
  /** Indexes in `members` of those that may be active first. */
  readonly starts: readonly number[]
  /** Maximum number of transfers in one cycle. */
  readonly maxHandoffs: number
  /**
   * How often the team runs: at the root of a graph-compose workflow the number of cycles,
   * otherwise 1.
   */
  readonly cycles: number
}

export interface TeamMember extends PlanChild {
  /** Indexes of the members that it may hand off to. */
  readonly targets: readonly number[]
  /** Index of the member that starts the next cycle if this member ended the previous one. */
  readonly resumesAt: number
}

/** Another machine of the chart, which runs to its end. */
export interface MachinePlan extends PlannedAgent {
  readonly type: "machine"
  readonly machine: string
}

/** The plans of all machines of a chart. */
export interface Plans {
  /** Key of the machine that a run starts with. */
  readonly root: string
  /** null: the machine contains no agent. */
  readonly byMachine: ReadonlyMap<string, PlanChild | null>
}

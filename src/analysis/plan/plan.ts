import type { AgentKind, ForEach } from "../../machines/contract/chart-machine.js"

/**
 * A tree that describes the possible executions of a machine: its agents, their order and the
 * maximum number of their runs.
 */
export type Plan = LeafPlan | GroupPlan | TeamPlan | MachinePlan

/** The agent or container that a plan describes, with its path in the machine. */
export interface PlannedAgent {
  readonly agent: string
  readonly kind: AgentKind
  /** Path of the agent in its machine, such as `pipeline/rounds[*]/writer`. */
  readonly path: string
}

/**
 * A plan without children: one turn of an LlmAgent, one question to a person, one wait, one call of
 * another workflow, or one call of a host function by a graph node.
 */
export interface LeafPlan extends PlannedAgent {
  readonly type: "turn" | "human" | "wait" | "call" | "code"
}

/**
 * A plan whose children are all executed, in order or in parallel. The whole group repeats up to
 * `times` times.
 */
export interface GroupPlan extends PlannedAgent {
  readonly type: "group"
  readonly order: "in order" | "parallel" | "any"
  /**
   * Maximum number of iterations of a loop, or of cycles of the root. Infinity: the chart does not
   * limit it.
   */
  readonly times: number
  /**
   * The setting that limits `times` or the number of items. null: the maximum of the loop itself
   * applies, or there is no limit.
   */
  readonly timesBy: "maxOrchestrationCycles" | "maxIterations" | "maxItems" | null
  /**
   * The `forEach` settings of a parallel block that runs its child once for each item of a list.
   */
  readonly forEach?: ForEach
  readonly children: readonly PlanChild[]
  readonly exitCondition: string | null
  readonly outputKey: string | null
}

export interface PlanChild {
  readonly plan: Plan
  readonly when: string | null
  /**
   * Maximum number of runs each time that the parent runs, for example the maximum number of items.
   * 0: the child can never run. Infinity: the child is in a cycle without a counter.
   */
  readonly times: number
}

/** A handoff team. Only one of its members is active at a time. */
export interface TeamPlan extends PlannedAgent {
  readonly type: "team"
  readonly members: readonly TeamMember[]
  /** Indexes of the members that may be active first. */
  readonly starts: readonly number[]
  /** Maximum number of transfers between members in one cycle. */
  readonly maxHandoffs: number
  /**
   * Number of times that the team runs. For the root of a graph-compose workflow, this is the
   * number of cycles. Otherwise 1.
   */
  readonly cycles: number
}

export interface TeamMember extends PlanChild {
  /** Indexes of the members to which this member can hand off. */
  readonly targets: readonly number[]
  /**
   * Index of the member that starts the next cycle if this member is active at the end of a cycle.
   */
  readonly resumesAt: number
}

/** A plan that represents one run of another machine of the chart. */
export interface MachinePlan extends PlannedAgent {
  readonly type: "machine"
  readonly machine: string
}

/** The plans of all machines of a chart. */
export interface Plans {
  /** Key of the machine that a run starts. */
  readonly root: string
  /** The plan of each machine, by machine key. null: the machine runs no agent. */
  readonly byMachine: ReadonlyMap<string, PlanChild | null>
}

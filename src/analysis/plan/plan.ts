import type { AgentKind, ForEach } from "../../machines/contract/chart-machine.js"

/**
 * A tree that describes the possible executions of a machine: its agents, their order, and how
 * often each of them can run.
 */
export type Plan = LeafPlan | GroupPlan | TeamPlan | MachinePlan

/** An agent or container in a plan, which describes the possible executions of a machine. */
export interface PlannedAgent {
  readonly agent: string
  readonly kind: AgentKind
  /**
   * Path of the agent in its machine. `[*]` marks a repeated part, for example
   * `pipeline/rounds[*]/writer`.
   */
  readonly path: string
}

/**
 * A plan without children. It stands for one turn of an LlmAgent, one question to a person, one
 * wait, one call of another workflow, or one call of a function in a graph node.
 */
export interface LeafPlan extends PlannedAgent {
  readonly type: "turn" | "human" | "wait" | "call" | "code"
}

/**
 * A plan with children, for example a sequence, a loop or a parallel block. The children run in
 * order, in parallel, or in any order. The whole group repeats up to `times` times.
 */
export interface GroupPlan extends PlannedAgent {
  readonly type: "group"
  readonly order: "in order" | "parallel" | "any"
  /**
   * Maximum number of iterations of a loop, or of passes of the root agent. Infinity means that the
   * chart has no limit.
   */
  readonly times: number
  /**
   * Name of the setting that limits `times` or the number of items. null means that the loop's own
   * maximum applies, or that there is no limit.
   */
  readonly timesBy: "maxOrchestrationCycles" | "maxIterations" | "maxItems" | null
  /**
   * Settings of a parallel block that runs its child agent once for each item of a list. Absent for
   * all other groups.
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
   * Maximum number of runs of the child each time that the parent runs, for example the maximum
   * number of items. 0 means that the child can never run. Infinity means that no counter limits
   * the cycle that contains the child.
   */
  readonly times: number
}

/**
 * A group of agents that hand the conversation to each other. Only one member is active at a time.
 */
export interface TeamPlan extends PlannedAgent {
  readonly type: "team"
  readonly members: readonly TeamMember[]
  /** Indexes in `members` of the agents that may be active first when the team starts. */
  readonly starts: readonly number[]
  /** Maximum number of handoffs between members in one pass of the root agent (cycle). */
  readonly maxHandoffs: number
  /**
   * Maximum number of passes of the root agent (cycles) if the team is the root of a graph-compose
   * workflow. Otherwise 1.
   */
  readonly cycles: number
}

export interface TeamMember extends PlanChild {
  /** Indexes in `members` of the agents to which this agent can hand off. */
  readonly targets: readonly number[]
  /**
   * Index in `members` of the agent that starts the next cycle if this agent is active at the end
   * of a cycle.
   */
  readonly resumesAt: number
}

/**
 * A plan that stands for one run of another machine of the chart. `machine` is the key of that
 * machine.
 */
export interface MachinePlan extends PlannedAgent {
  readonly type: "machine"
  readonly machine: string
}

/** The plans of all machines of a chart, which describe how often each agent can run. */
export interface Plans {
  /** Key in `byMachine` of the machine that a run of the chart starts. */
  readonly root: string
  /** The plan of each machine, by machine key. The value is null if the machine runs no agent. */
  readonly byMachine: ReadonlyMap<string, PlanChild | null>
}

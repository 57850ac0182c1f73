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
   * Name of the setting that limits the repetitions (`times`), or the number of list items in a
   * `forEach` block. null means that the loop's own maximum applies, or that there is no limit.
   */
  readonly timesBy: "maxOrchestrationCycles" | "maxIterations" | "maxItems" | null
  /**
   * Settings of a parallel block that runs its child agent once for each item of a list. Absent if
   * the group is not such a block.
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
   * number of items. 0 means that the child can never run. Infinity means that the child is in a
   * cycle without a limit.
   */
  readonly times: number
}

/**
 * A group of agents that hand the conversation to each other. Only one member is active at a time.
 */
export interface TeamPlan extends PlannedAgent {
  readonly type: "team"
  readonly members: readonly TeamMember[]
  /** Indexes in `members` of the agents with which the team can start. */
  readonly starts: readonly number[]
  /** Maximum number of handoffs between members in one pass of the root agent (cycle). */
  readonly maxHandoffs: number
  /**
   * Maximum number of cycles of this team. A cycle is one pass of the root agent. The number is 1
   * if the team is not the root of a graph-compose workflow.
   */
  readonly cycles: number
}

export interface TeamMember extends PlanChild {
  /** Indexes in `members` of the agents to which this agent can hand off. */
  readonly targets: readonly number[]
  /**
   * Index in `members` of the agent that starts the next cycle, if the current cycle ends while
   * this agent is active.
   */
  readonly resumesAt: number
}

/**
 * A plan for an agent that another machine of the chart runs. `machine` is the key of this machine.
 * It represents one run of the machine.
 */
export interface MachinePlan extends PlannedAgent {
  readonly type: "machine"
  readonly machine: string
}

/** The plans of all machines of a chart, which describe how often each agent can run. */
export interface Plans {
  /** Key in `byMachine` of the root machine, with which every run of the chart starts. */
  readonly root: string
  /**
   * For each machine, by machine key, the plan of the agents that it can run. null if the machine
   * runs no agent.
   */
  readonly byMachine: ReadonlyMap<string, PlanChild | null>
}

import type { AgentKind } from "../../machines/contract/chart-machine.js"

/** What a chart may come to do, as a tree: who runs, in which order, and how often at most. */
export type Plan = LeafPlan | GroupPlan | TeamPlan | MachinePlan

interface PlanPlace {
  readonly agent: string
  readonly kind: AgentKind
  /** `pipeline/rounds[*]/writer`, in the machine that it stands in. */
  readonly path: string
}

/** One turn of an LlmAgent, one question to a person, or one call of the function of a graph's node. */
export interface LeafPlan extends PlanPlace {
  readonly type: "turn" | "human" | "code"
}

/** Plans that are all carried out, in order or side by side, so many times over. */
export interface GroupPlan extends PlanPlace {
  readonly type: "group"
  readonly order: "in turn" | "side by side" | "any"
  /** Of a loop its maximum, of the root its cycles; Infinity where nothing in the chart bounds it. */
  readonly times: number
  /** What the number of times is bounded by, where that is a setting. */
  readonly timesBy: "maxOrchestrationCycles" | "maxIterations" | null
  readonly children: readonly PlanChild[]
  readonly exitCondition: string | null
  readonly outputKey: string | null
}

export interface PlanChild {
  readonly plan: Plan
  readonly when: string | null
  /** How often at most it runs each time: 0 where it is proved that it never does, Infinity in a ring that nothing counts. */
  readonly times: number
}

/** A handoff team: one member after the other has the conversation. */
export interface TeamPlan extends PlanPlace {
  readonly type: "team"
  readonly members: readonly TeamMember[]
  /** Places in `members` where the first cycle may begin. */
  readonly starts: readonly number[]
  /** Transfers in one cycle at most. */
  readonly maxHandoffs: number
  /** How often the team is asked: at the root of a graph-compose workflow as often as its cycles, else once. */
  readonly cycles: number
}

export interface TeamMember extends PlanChild {
  /** Whom it may hand off to. */
  readonly targets: readonly number[]
  /** The member that the next cycle begins with when this one has ended it. */
  readonly resumesAt: number
}

/** A machine of the chart that is run as a whole. */
export interface MachinePlan extends PlanPlace {
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

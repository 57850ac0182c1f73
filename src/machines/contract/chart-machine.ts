import type { JsonObject } from "../data/json-object.js"

/** An XState machine config as JSON. Guards, actions and actors are names with parameters. */
export interface ChartMachine {
  readonly id: string
  readonly initial: string
  readonly meta: { readonly kind: "orchestration"; readonly agent: string }
  readonly on?: Readonly<Record<string, Transitions>>
  readonly states: Readonly<Record<string, ChartState>>
}

export interface ChartState {
  readonly type?: "parallel" | "final"
  readonly initial?: string
  readonly meta?: StateMeta
  readonly tags?: readonly string[]
  readonly entry?: readonly NamedAction[]
  readonly exit?: readonly NamedAction[]
  readonly invoke?: ChartInvoke
  readonly on?: Readonly<Record<string, Transitions>>
  readonly always?: Transitions
  readonly onDone?: Transitions
  readonly states?: Readonly<Record<string, ChartState>>
}

export interface ChartInvoke {
  /** Id of the invoked actor, derived from the state path of the agent. Unique in the machine. */
  readonly id: string
  /**
   * The machine to invoke: a library machine such as `llmAgent`, `humanAgent` or `fan`, or the key
   * of a machine of this chart.
   */
  readonly src: string
  readonly input: JsonObject
  readonly onDone: Transitions
}

export type Transitions = readonly ChartTransition[]

export interface ChartTransition {
  /** Absolute id of the target state, in the form `#machine.state.inner`. */
  readonly target?: string
  readonly guard?: NamedGuard
  readonly actions?: readonly NamedAction[]
  readonly reenter?: boolean
}

export interface NamedAction {
  readonly type: string
  readonly params?: JsonObject
}

export type NamedGuard = NamedAction

/** Metadata on the state of each agent. Actions refer to the metadata by `place`. */
export interface StateMeta {
  readonly agent: string
  readonly kind: AgentKind
  /** Path of the state in the machine: its state keys, joined by dots. */
  readonly place: string
  /**
   * Path of the agent, such as `pipeline/rounds[*]/writer`. Each `[*]` is replaced by the iteration
   * index of a loop in `loops`.
   */
  readonly path: string
  /**
   * State paths of the loops and custom agents whose counts replace the `[*]` of the path. Absent
   * if these are exactly `loops`.
   */
  readonly counters?: readonly string[]
  /** State paths of the enclosing loops in this machine, outermost first. */
  readonly loops: readonly string[]
  /**
   * State path of the innermost enclosing parallel branch, or `""`. The agent reads and writes the
   * state of this branch.
   */
  readonly scope: string
  /** Name of the branch in this machine; null if no parallel branch contains the agent. */
  readonly branch: string | null
  readonly outputKey?: string
  /**
   * Set on the state of a handoff team. Its inner states are the members of the team, including the
   * parent agent.
   */
  readonly team?: true
  /** Set on a state that contains an agent's state and the states of its callbacks. */
  readonly callbacks?: true
  /** Branches of a parallel block, in declaration order. */
  readonly branches?: readonly { readonly scope: string; readonly agent: string }[]
  readonly failurePolicy?: FailurePolicy
}

export type FailurePolicy = "fail-fast" | "collect" | "wait-all"

/**
 * The rule that completes a parallel block. A quorum is the number of branches that must succeed.
 */
export type Completion = "all" | "first-success" | { readonly quorum: number }

/** The items for which a parallel block runs its sub-agent. */
export interface ForEach {
  /** Expression in the condition language that returns the list of items. */
  readonly items: string
  /** State key of the item inside a branch. `<as>_index` is the key of its index. */
  readonly as: string
  /** Key that each branch writes, by the key that receives the list of these values. */
  readonly collect: Readonly<Record<string, string>>
  /** Maximum number of items. */
  readonly maxItems: number
}

export type AgentKind =
  | "LlmAgent"
  | "HumanAgent"
  | "CustomAgent"
  | "MachineAgent"
  | "WorkflowAgent"
  | "SequentialAgent"
  | "ParallelAgent"
  | "LoopAgent"
  | "Workflow"
  | "FunctionNode"
  | "RouterNode"
  | "ToolNode"
  | "JoinNode"
  | "TaskGraph"

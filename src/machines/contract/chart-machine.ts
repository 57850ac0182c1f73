import type { JsonObject } from "../data/json-object.js"

/** An XState machine config as JSON: guards, actions and actors are names with params. */
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
  /** Derived from the state path of the agent; unique in the machine. */
  readonly id: string
  /** `llmAgent`, `humanAgent`, `fan`, or the key of a machine of this chart. */
  readonly src: string
  readonly input: JsonObject
  readonly onDone: Transitions
}

export type Transitions = readonly ChartTransition[]

export interface ChartTransition {
  /** `#machine.state.inner`, an absolute state id. */
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

/** Metadata on the state of each agent. Actions refer to it by `place`. */
export interface StateMeta {
  readonly agent: string
  readonly kind: AgentKind
  /** Path of the state in the machine: its state keys, joined by dots. */
  readonly place: string
  /**
   * `pipeline/rounds[*]/writer`: each `[*]` stands for the iteration of the loop named in `loops`.
   */
  readonly path: string
  /**
   * State paths of the loops and custom agents that the `[*]` of the path count. Absent if only
   * loops count.
   */
  readonly counters?: readonly string[]
  /** State paths of the loops around it in this machine, outermost first. */
  readonly loops: readonly string[]
  /**
   * State path of the innermost enclosing parallel branch, or `""`. The agent reads and writes the
   * state of this branch.
   */
  readonly scope: string
  /** Branch name, starting at the root of this machine; null outside branches. */
  readonly branch: string | null
  readonly outputKey?: string
  /** Set on a handoff team. Its states are the members, including the agent itself. */
  readonly team?: true
  /** Set on a state that wraps an agent and its callbacks. The agent is one of its states. */
  readonly callbacks?: true
  /** Branches of a parallel block, in declaration order. */
  readonly branches?: readonly { readonly scope: string; readonly agent: string }[]
  readonly failurePolicy?: FailurePolicy
}

export type FailurePolicy = "fail-fast" | "collect" | "wait-all"

export type AgentKind =
  | "LlmAgent"
  | "HumanAgent"
  | "CustomAgent"
  | "SequentialAgent"
  | "ParallelAgent"
  | "LoopAgent"
  | "Workflow"
  | "FunctionNode"
  | "RouterNode"
  | "ToolNode"
  | "JoinNode"

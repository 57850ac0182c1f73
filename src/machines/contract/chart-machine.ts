import type { JsonObject } from "../data/json-object.js"

/**
 * An XState machine config as JSON. Guards, actions and actors are referenced by name, with
 * parameters.
 */
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
  /**
   * Id of the invoked actor. It is derived from the path of the agent's state and is unique in the
   * machine.
   */
  readonly id: string
  /**
   * The machine to invoke. It is the name of a machine of this package, such as `llmAgent`,
   * `humanAgent` or `fan`, or the key of a machine of this chart.
   */
  readonly src: string
  readonly input: JsonObject
  readonly onDone: Transitions
}

export type Transitions = readonly ChartTransition[]

export interface ChartTransition {
  /**
   * Absolute id of the target state, such as `#pipeline.rounds.writer`. Absent if the state does
   * not change.
   */
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

/**
 * Metadata of a state that runs an agent or a container, such as a loop. Actions and guards look up
 * this metadata by the path of the state, which they receive as the parameter `place`.
 */
export interface StateMeta {
  readonly agent: string
  readonly kind: AgentKind
  /**
   * Path of this state in its machine: state keys joined by dots, such as `pipeline.rounds.writer`.
   */
  readonly place: string
  /**
   * Path of the agent in a run, such as `pipeline/rounds[*]/writer`. At run time, each `[*]` is
   * replaced with the iteration index of a loop, such as `[2]`.
   */
  readonly path: string
  /**
   * State paths of the loops and custom agents whose counters replace each `[*]` in `path`,
   * outermost first. If absent, the counters of the loops in `loops` are used.
   */
  readonly counters?: readonly string[]
  /** State paths of the loops in this machine that contain the agent, outermost first. */
  readonly loops: readonly string[]
  /**
   * The innermost parallel branch of this machine that contains the agent, as a state path. The
   * agent reads and writes the session state of this branch. `""` if no branch contains the agent.
   */
  readonly scope: string
  /**
   * Name of the parallel branch of this machine that contains the agent, such as `research.0`. null
   * outside branches.
   */
  readonly branch: string | null
  readonly outputKey?: string
  /**
   * Set if the state is a team of agents that can hand off to each other. Its inner states are the
   * members of the team, including the parent agent.
   */
  readonly team?: true
  /**
   * Set if the state contains an agent's state and the states that run the callbacks around this
   * agent.
   */
  readonly callbacks?: true
  /**
   * Branches of the parallel block, in declaration order. `scope` is the state path of a branch.
   * Absent if the state is not a parallel block.
   */
  readonly branches?: readonly { readonly scope: string; readonly agent: string }[]
  readonly failurePolicy?: FailurePolicy
}

export type FailurePolicy = "fail-fast" | "collect" | "wait-all"

/**
 * Condition under which a parallel block ends. `all`: all branches have ended. `first-success`: one
 * branch has succeeded. `{ quorum: 2 }`: two branches have succeeded.
 */
export type Completion = "all" | "first-success" | { readonly quorum: number }

/**
 * The `forEach` settings of a parallel block. Such a block runs its sub-agent once for each item of
 * a list.
 */
export interface ForEach {
  /**
   * Expression that returns the list of items, such as `session_state['orders']`. It has the syntax
   * of conditions.
   */
  readonly items: string
  /**
   * State key that contains the item of a branch in the session state of this branch, such as
   * `order`. A second key contains the index of the item, such as `order_index`.
   */
  readonly as: string
  /**
   * State keys that receive the results of the branches. For example, `{ summaries: "summary" }`
   * sets `summaries` to a list of the values that the branches wrote to `summary`. The list is in
   * the order of the items.
   */
  readonly collect: Readonly<Record<string, string>>
  /** Maximum number of items. With a longer list, the block fails. */
  readonly maxItems: number
}

export type AgentKind =
  | "LlmAgent"
  | "HumanAgent"
  | "CustomAgent"
  | "MachineAgent"
  | "WorkflowAgent"
  | "WaitAgent"
  | "SequentialAgent"
  | "ParallelAgent"
  | "LoopAgent"
  | "Workflow"
  | "FunctionNode"
  | "RouterNode"
  | "ToolNode"
  | "JoinNode"
  | "TaskGraph"

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

/**
 * Metadata of the state that runs an agent or a container. Actions and guards receive the state
 * path in `place` and look up the metadata by this path.
 */
export interface StateMeta {
  readonly agent: string
  readonly kind: AgentKind
  /** Path of the state in the machine: its state keys, joined by dots. */
  readonly place: string
  /**
   * Path of the agent in a run, such as `pipeline/rounds[*]/writer`. At run time, each `[*]` is
   * replaced with the iteration index of a loop in `loops`.
   */
  readonly path: string
  /**
   * State paths of the loops and custom agents whose counters replace each `[*]` in the path.
   * Absent if these are the loops in `loops`.
   */
  readonly counters?: readonly string[]
  /** State paths of the enclosing loops in this machine, outermost first. */
  readonly loops: readonly string[]
  /**
   * State path of the innermost parallel branch that contains the agent, or `""` if no branch of
   * this machine contains it. The agent reads and writes the session state of this branch.
   */
  readonly scope: string
  /**
   * Name of the parallel branch of this machine that contains the agent. null if no branch contains
   * it.
   */
  readonly branch: string | null
  readonly outputKey?: string
  /**
   * Set if the state is a handoff team. Its inner states are the team's members, including the
   * parent agent.
   */
  readonly team?: true
  /**
   * Set if the state contains the state of an agent and the states that run the agent's callbacks.
   */
  readonly callbacks?: true
  /**
   * Branches of the parallel block, in declaration order. Absent if the state is not a parallel
   * block.
   */
  readonly branches?: readonly { readonly scope: string; readonly agent: string }[]
  readonly failurePolicy?: FailurePolicy
}

export type FailurePolicy = "fail-fast" | "collect" | "wait-all"

/**
 * Condition for the completion of a parallel block. `all`: all branches have ended.
 * `first-success`: one branch has succeeded. `quorum`: this number of branches have succeeded.
 */
export type Completion = "all" | "first-success" | { readonly quorum: number }

/**
 * The `forEach` settings of a parallel block, which runs its sub-agent once for each item of a
 * list.
 */
export interface ForEach {
  /** Expression in the condition language that returns the list of items. */
  readonly items: string
  /**
   * State key under which each branch reads its item. The key `<as>_index` contains the index of
   * the item.
   */
  readonly as: string
  /**
   * The results to collect from the branches. Each entry maps the state key that receives a list to
   * the key that the branches write. The list contains each branch's value, in the order of the
   * items.
   */
  readonly collect: Readonly<Record<string, string>>
  /** Maximum number of items. A longer list is an error. */
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

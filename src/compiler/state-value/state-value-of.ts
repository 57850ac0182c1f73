import type { ChartStateValue } from "../../machines/contract/chart-state-value.js"
import type { StateKeyOf } from "./state-key-of.js"

/**
 * The state values of the chart that is compiled from a config. They consist of the ids of its
 * agents as nested state keys. The type also contains the paths of these values, such as
 * `"rounds.critic"`, because `snapshot.matches` accepts values and paths. If the type of the config
 * is not literal, any state value is allowed.
 */
export type StateValueOf<Config> = Config extends {
  readonly rootAgentId: infer Root extends string
  readonly agents: readonly (infer Agent)[]
}
  ? string extends Root | IdOf<Agent>
    ? ChartStateValue
    : WithPaths<RootState | AgentValue<Find<Agent, Root>, StateKeyOf<Root>, Agent, Config, never>>
  : ChartStateValue

/** Keys of the root machine's states that do not belong to an agent. */
type RootState =
  | "boot"
  | "resting"
  | "done"
  | "exited"
  | "escalated"
  | "failed"
  | "limited"
  | "stopped"

/** Keys of the final states of each branch of a parallel block. */
type BranchEnd = "done" | "escalated" | "failed"

/**
 * The possible state values while an agent runs. `Key` is the key of the agent's state. `Agents`
 * contains all agents, `Config` is the whole config, and `Around` contains the ids of the agents
 * that contain this agent.
 */
type AgentValue<Agent, Key extends string, Agents, Config, Around> = [Agent] extends [never]
  ? ChartStateValue
  : string extends IdOf<Agent>
    ? ChartStateValue
    : IdOf<Agent> extends Around
      ? never
      : CallbackValue<Agent, Key, Agents, Config, Around | IdOf<Agent>>

/**
 * The state values of an agent with its callbacks. If the agent has callbacks, an outer state
 * contains the states of the callbacks and the agent's own state. The type parameters are those of
 * `AgentValue`.
 */
type CallbackValue<Agent, Key extends string, Agents, Config, Around> =
  HasCallbacks<Agent> extends true
    ? EnclosedValue<Agent, Key, Agents, Config, Around>
    : Config extends { readonly plugins: unknown }
      ?
          | BareValue<Agent, Key, Agents, Config, Around>
          | EnclosedValue<Agent, Key, Agents, Config, Around>
      : BareValue<Agent, Key, Agents, Config, Around>

type HasCallbacks<Agent> = Agent extends { readonly type: "LlmAgent" }
  ? false
  : [Extract<keyof Agent, `${"before" | "after"}AgentCallback${"" | "s"}`>] extends [never]
    ? false
    : true

type EnclosedValue<Agent, Key extends string, Agents, Config, Around> = {
  readonly [K in Key]:
    | "beforeAgent"
    | "afterAgent"
    | BareValue<Agent, StateKeyOf<IdOf<Agent>>, Agents, Config, Around>
}

/**
 * The state values of an agent without its callbacks. A parallel block can run as a fan, which is
 * one state that invokes a machine for each branch. A fan has no inner states, so its state value
 * is only the key.
 */
type BareValue<Agent, Key extends string, Agents, Config, Around> =
  | Keyed<Key, InnerValue<Agent, Agents, Config, Around>>
  | (Agent extends { readonly type: "ParallelAgent" } ? Key : never)

type Keyed<Key extends string, Inner> = [Inner] extends [never]
  ? Key
  : { readonly [K in Key]: Inner }

/**
 * The possible values inside the state of an agent, such as the states of its sub-agents. `never`
 * for an agent without inner states. The type parameters are those of `AgentValue`.
 */
type InnerValue<Agent, Agents, Config, Around> = Agent extends {
  readonly type: infer Type
  readonly subAgents: infer Entries extends readonly unknown[]
}
  ? Type extends "SequentialAgent" | "LoopAgent"
    ? OneOf<Entries, Agents, Config, Around>
    : Type extends "CustomAgent"
      ? "thinking" | OneOf<Entries, Agents, Config, Around>
      : Type extends "ParallelAgent"
        ? Branches<Entries, Agents, Config, Around>
        : Type extends "LlmAgent"
          ? Entries extends readonly []
            ? never
            : OneOf<Members<[Agent], Agents, never>, Agents, Config, Exclude<Around, IdOf<Agent>>>
          : never
  : Agent extends { readonly type: "CustomAgent" }
    ? "thinking"
    : never

/**
 * The possible values inside the state of a container that runs one agent at a time. They are the
 * state values of all its agents, as a union type.
 */
type OneOf<
  Entries extends readonly unknown[],
  Agents,
  Config,
  Around,
  Taken extends string = never,
  Values = never,
> = Entries extends readonly [infer First, ...infer Rest]
  ? StateKeyOf<IdAt<First>, Taken> extends infer Key extends string
    ? OneOf<
        Rest,
        Agents,
        Config,
        Around,
        Taken | Key,
        Values | AgentValue<AgentAt<First, Agents>, Key, Agents, Config, Around>
      >
    : never
  : Entries extends readonly []
    ? Values
    : ChartStateValue

/** The state value of a parallel block, which has one region for each branch. */
type Branches<
  Entries extends readonly unknown[],
  Agents,
  Config,
  Around,
  Taken extends string = never,
  Regions = unknown,
> = Entries extends readonly [infer First, ...infer Rest]
  ? StateKeyOf<IdAt<First>, Taken> extends infer Key extends string
    ? Branches<
        Rest,
        Agents,
        Config,
        Around,
        Taken | Key,
        Regions & { readonly [K in Key]: BranchValue<First, Agents, Config, Around> }
      >
    : never
  : Entries extends readonly []
    ? { readonly [Key in keyof Regions]: Regions[Key] }
    : ChartStateValue

/**
 * The state values of one branch of a parallel block. A branch with too many parallel regions runs
 * in a separate machine. The state value of such a branch is only the key.
 */
type BranchValue<Entry, Agents, Config, Around> =
  StateKeyOf<IdAt<Entry>> extends infer Key extends string
    ? BranchEnd | Key | AgentValue<AgentAt<Entry, Agents>, Key, Agents, Config, Around>
    : never

/**
 * The members of a team, as a list type. A team is an LlmAgent and its handoff targets. Each
 * LlmAgent is followed by its own sub-agents. `Around` contains the ids of the LlmAgents that
 * contain the list, so that a cycle ends.
 */
type Members<Entries extends readonly unknown[], Agents, Around> = Entries extends readonly [
  infer First,
  ...infer Rest,
]
  ? [...Member<AgentAt<First, Agents>, Agents, Around>, ...Members<Rest, Agents, Around>]
  : Entries extends readonly []
    ? []
    : unknown[]

type Member<Agent, Agents, Around> = Agent extends { readonly type: "LlmAgent" }
  ? [
      { readonly type: "LlmAgent"; readonly id: IdOf<Agent> },
      ...(IdOf<Agent> extends Around
        ? []
        : Agent extends { readonly subAgents: infer Entries extends readonly unknown[] }
          ? Members<Entries, Agents, Around | IdOf<Agent>>
          : []),
    ]
  : [Agent]

type IdOf<Agent> = Agent extends { readonly id: infer Id extends string }
  ? Id
  : Agent extends { readonly name: infer Name extends string }
    ? Name
    : string

type Find<Agents, Id extends string> = Agents extends unknown
  ? IdOf<Agents> extends Id
    ? Agents
    : never
  : never

/** The agent that an entry of a container's sub-agents refers to or defines. */
type AgentAt<Entry, Agents> = Entry extends { readonly agentId: infer Id extends string }
  ? Find<Agents, Id>
  : Entry

type IdAt<Entry> = Entry extends { readonly agentId: infer Id extends string } ? Id : IdOf<Entry>

type WithPaths<Value> = Value | PathOf<Value>

type PathOf<Value> = Value extends string
  ? Value
  : string extends keyof Value
    ? string
    : { [Key in keyof Value & string]: Key | `${Key}.${PathOf<Value[Key]>}` }[keyof Value & string]

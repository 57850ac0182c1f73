import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Automaton } from "../../policies/automaton.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { FunctionPermissions, ModelSignal, Policy, PolicySet } from "../../policies/policy.js"
import type { Behavior, FunctionUse } from "./behavior.js"
import type { SearchEffort } from "./search-effort.js"

/**
 * The assumption about functions whose effects the policy file does not declare. With `anything`,
 * they can cause every violation of the policy (worst case). With `helpful`, they do everything
 * that the policy requires and violate nothing (best case).
 */
export type UndeclaredFunctions = "anything" | "helpful"

/**
 * The chart, the policy and the options of one search of the model checker. The transition systems
 * of all agents and machines share this object.
 */
export interface Setting {
  readonly chart: AgentChart
  readonly set: PolicySet
  readonly policy: Policy
  readonly automaton: Automaton
  readonly undeclared: UndeclaredFunctions
  /**
   * The session state keys that a condition or the policy reads. Writes of other keys are ignored.
   */
  readonly keys: ReadonlySet<string>
  /**
   * Whether the policy refers to writes of keys. If it does not, the time at which a run emits a
   * write event is irrelevant.
   */
  readonly readsWrites: boolean
  /**
   * Returns whether the result of a condition depends only on session state keys whose values the
   * model checker tracks.
   */
  readonly decides: (condition: string) => boolean
  /**
   * Returns whether an undeclared function or toolset could cause an event that the policy
   * requires. With `undeclared` set to `helpful`, the function is assumed to cause this event.
   */
  readonly helps: (use: FunctionUse) => boolean
  /** For each session state key, the values with which the policy compares written values. */
  readonly writeValues: ReadonlyMap<string, readonly unknown[]>
  /**
   * Maximum number of tool calls of one response that the model checker explores as running at the
   * same time.
   */
  readonly concurrentCalls: number
  /**
   * Number of branches of a `forEach` block that a violation of the policy can require. For
   * example, 3 branches if the policy allows at most 2 calls.
   */
  readonly branchesToDistinguish: number
  /**
   * Whether the model checker can split the tool calls of one model response into groups. The calls
   * of a later group then start after the calls of the earlier groups have ended.
   */
  readonly continuesResponses: boolean
  /** Maximum number of model calls of a run, from the settings of the chart. */
  readonly maxModelCalls: number
  /**
   * Maximum value up to which a counter, such as the iterations of a loop, is counted exactly. A
   * counter with a higher maximum is assumed to be able to reach its maximum at any time.
   */
  readonly largestCounter: number
  /**
   * The highest counter value that the model checker explores. Runs with a higher value, and runs
   * that reach `maxModelCalls`, are skipped. With Infinity, all runs are explored.
   */
  readonly highestCount: number
  /**
   * Whether the model calls of a run are counted exactly. False if their maximum exceeds
   * `largestCounter`.
   */
  readonly countsModelCalls: boolean
  /**
   * Whether the model checker counts the cycles (passes of the root agent) exactly. A message of
   * the user resets the count.
   */
  readonly countsCycles: boolean
  readonly signals: ReadonlySet<ModelSignal>
  /**
   * Ids of the agent turns and tool calls that have caused events for the policy's automaton so
   * far. When a turn or block ends, all activities inside it end too. The policy is affected only
   * if one of these ids belongs to such an activity.
   */
  readonly activities: Set<string>
  /** Counts the explored states and steps of this model check and enforces their limit. */
  readonly effort: SearchEffort
  /**
   * Returns the transition system (all possible executions) of the chart's machine with this key.
   * `location` is the location of the machine in the run.
   */
  readonly machine: (key: string, location: NestedLocation) => Behavior
  /**
   * Returns the transition system of a machine that an AgentTool runs. It contains only the steps
   * that are relevant to the policy.
   */
  readonly target: (key: string, location: NestedLocation) => Behavior
}

/**
 * The location of an agent, machine or state in a run, with the agents and tool calls that enclose
 * it.
 */
export interface NestedLocation {
  /**
   * Identifies the location in the run. Locations that can be active at the same time have
   * different ids.
   */
  readonly id: string
  readonly within: Occurrence["within"]
  /**
   * Whether an enclosing parallel block or tool call already makes the written session state keys
   * unknown (effect `hide`). This location then adds no `hide` effect.
   */
  readonly isHidden: boolean
  /**
   * Whether an enclosing parallel block has `maxConcurrency`. Such a block can start further
   * branches while an agent at this location waits for a person.
   */
  readonly countsWaiting: boolean
  /**
   * Whether write events are emitted when an agent at this location waits for a person. If false,
   * an enclosing agent emits them later.
   */
  readonly reportsPauses: boolean
}

/**
 * Returns the permissions of a host function (a function that you register) from the policy file.
 * Returns null if the policy file does not declare the function.
 */
export const declarationOf = ({ set }: Setting, service: string): FunctionPermissions | null =>
  permissionsOf(set, service)

/**
 * Thrown if a chart contains a construct that the policy checker does not support. The verdict on
 * the policy is then unknown.
 */
export class NotAnalyzed extends Error {
  readonly construct: string

  constructor(construct: string) {
    super(`the policy checker does not support ${construct}`)
    this.construct = construct
  }
}

/**
 * The default of `Setting.largestCounter`. A counter with a higher maximum is not counted exactly.
 * It is assumed to be able to reach its maximum at any time.
 */
export const largestCounter = 16

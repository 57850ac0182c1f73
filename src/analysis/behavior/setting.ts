import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Automaton } from "../../policies/automaton.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { FunctionPermissions, ModelSignal, Policy, PolicySet } from "../../policies/policy.js"
import type { Behavior, FunctionUse } from "./behavior.js"
import type { SearchEffort } from "./search-effort.js"

/**
 * The assumption about undeclared functions. `anything`: they can cause every violation of the
 * policy (worst case). `helpful`: they do everything that the policy requires, and violate nothing
 * (best case).
 */
export type UndeclaredFunctions = "anything" | "helpful"

/**
 * The chart, the policy and the options of one model check. All transition systems of the chart
 * share them.
 */
export interface Setting {
  readonly chart: AgentChart
  readonly set: PolicySet
  readonly policy: Policy
  readonly automaton: Automaton
  readonly undeclared: UndeclaredFunctions
  /** The state keys that a condition or the policy reads. Writes of other keys are ignored. */
  readonly keys: ReadonlySet<string>
  /**
   * Whether the policy contains `write` atoms. If it does not, the time at which a run emits a
   * write event is irrelevant.
   */
  readonly readsWrites: boolean
  /** Returns whether the result of a condition depends only on tracked keys. */
  readonly decides: (condition: string) => boolean
  /** Returns whether an undeclared function or toolset could satisfy the policy. */
  readonly helps: (use: FunctionUse) => boolean
  /** For each key: the values that the policy's `write` atoms name. */
  readonly writeValues: ReadonlyMap<string, readonly unknown[]>
  /** Maximum number of calls of one response that are explored as running at the same time. */
  readonly concurrentCalls: number
  /** Number of branches of a `forEach` block that the policy can distinguish. */
  readonly branchesToDistinguish: number
  /**
   * Whether the calls of one response can be explored in several parts, so that further calls start
   * after the first calls have ended.
   */
  readonly continuesResponses: boolean
  /** Maximum number of model calls of a run, from the settings of the chart. */
  readonly maxModelCalls: number
  /**
   * The analysis counts a counter, such as the iterations of a loop, exactly only if its maximum is
   * at most this value. Other counters are assumed to be able to reach their maximum at any time.
   */
  readonly largestCounter: number
  /**
   * If finite, the search skips runs in which a counter exceeds this value and runs that reach
   * `maxModelCalls`. Infinity: all runs are explored.
   */
  readonly highestCount: number
  /**
   * Whether the model calls of a run are counted exactly. False if their maximum exceeds
   * `largestCounter`.
   */
  readonly countsModelCalls: boolean
  /**
   * Whether the cycles of the root are counted exactly. A message of the user resets this count.
   */
  readonly countsCycles: boolean
  readonly signals: ReadonlySet<ModelSignal>
  /**
   * Ids of the activities (agent turns and tool calls) that the policy's automaton has read so far.
   * The end of a block or a turn is relevant to the policy only if it ends one of them.
   */
  readonly activities: Set<string>
  /** The counter of this model check's explored states and steps, with their limit. */
  readonly effort: SearchEffort
  /**
   * Returns the transition system of the chart's machine `key`. `place` is the machine's location
   * in the run.
   */
  readonly machine: (key: string, place: RunPlace) => Behavior
  /**
   * Returns the transition system of a machine that an AgentTool runs, reduced to the steps that
   * are relevant to the policy.
   */
  readonly target: (key: string, place: RunPlace) => Behavior
}

/**
 * The location of an agent, machine or state in a run, with the agents and tool calls around it.
 */
export interface RunPlace {
  /** Identifies the location. Locations that can be active at the same time have different ids. */
  readonly id: string
  readonly within: Occurrence["within"]
  /**
   * Whether an enclosing block or tool call already treats the written keys as unknown, so that
   * this location does not hide them again.
   */
  readonly isHidden: boolean
  /**
   * Whether an enclosing parallel block with `maxConcurrency` can start further branches while this
   * location only waits for people.
   */
  readonly countsWaiting: boolean
  /** Whether the enclosing agent emits write events when this location waits for people. */
  readonly reportsPauses: boolean
}

/**
 * Returns the declared permissions of a host function, or null if the policy file does not declare
 * it.
 */
export const declarationOf = ({ set }: Setting, service: string): FunctionPermissions | null =>
  permissionsOf(set, service)

/**
 * Thrown for a construct of a chart that the policy checker does not support. The verdict is then
 * unknown.
 */
export class NotAnalyzed extends Error {
  readonly construct: string

  constructor(construct: string) {
    super(`the policy checker does not support ${construct}`)
    this.construct = construct
  }
}

/** The default of `Setting.largestCounter`: counters with a higher maximum are not tracked. */
export const largestCounter = 16

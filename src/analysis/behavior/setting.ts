import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Automaton } from "../../policies/automaton.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { FunctionPermissions, ModelSignal, Policy, PolicySet } from "../../policies/policy.js"
import type { Behavior, FunctionUse } from "./behavior.js"
import type { SearchEffort } from "./search-effort.js"

/**
 * The assumed effects of undeclared functions. `anything`: every effect that violates the policy.
 * `helpful`: every effect that satisfies the policy, and none that violates it.
 */
export type UndeclaredFunctions = "anything" | "helpful"

/** The parameters of all behaviors of a chart for one policy. */
export interface Setting {
  readonly chart: AgentChart
  readonly set: PolicySet
  readonly policy: Policy
  readonly automaton: Automaton
  readonly undeclared: UndeclaredFunctions
  /** Keys that a condition or the policy reads. Writes of other keys are ignored. */
  readonly keys: ReadonlySet<string>
  /**
   * Whether the policy contains write atoms. If so, the time at which a run emits a write is
   * relevant.
   */
  readonly readsWrites: boolean
  /** Returns whether the result of a condition depends only on tracked keys. */
  readonly decides: (condition: string) => boolean
  /** Returns whether an undeclared function could satisfy the policy. */
  readonly helps: (use: FunctionUse) => boolean
  /** The values in the write atoms of the policy, by key. */
  readonly writeValues: ReadonlyMap<string, readonly unknown[]>
  /** Maximum number of calls of one response that are modeled as running at the same time. */
  readonly concurrentCalls: number
  /** Whether a response can contain further calls after its first ones have ended. */
  readonly continuesResponses: boolean
  /** Maximum number of model calls of a run. */
  readonly maxModelCalls: number
  /**
   * Largest maximum that a counter tracks exactly. A counter with a larger maximum can reach it at
   * any time.
   */
  readonly largestCounter: number
  /** Whether model calls are counted exactly. False if their maximum exceeds `largestCounter`. */
  readonly countsModelCalls: boolean
  /**
   * Whether the cycles of the root are counted exactly. A message of the user resets this counter.
   */
  readonly countsCycles: boolean
  readonly signals: ReadonlySet<ModelSignal>
  /** Counts the states and steps of the whole search. */
  readonly effort: SearchEffort
  /** Returns the behavior of a machine of the chart. */
  readonly machine: (key: string, place: RunPlace) => Behavior
  /** Returns the behavior of a machine that a tool call runs, reduced to its relevant steps. */
  readonly target: (key: string, place: RunPlace) => Behavior
}

/** The location of a part of the chart in a run. */
export interface RunPlace {
  /**
   * Identifies the position. Parts of the chart that can run at the same time have different ids.
   */
  readonly id: string
  readonly within: Occurrence["within"]
  /** Whether keys are hidden at this position because a branch or a called agent writes them. */
  readonly isHidden: boolean
  /** Whether an enclosing block starts more branches while this position only waits for people. */
  readonly countsWaiting: boolean
  /** Whether the enclosing agent emits written keys when this position waits for people. */
  readonly reportsPauses: boolean
}

/**
 * Returns the declared permissions of a host function, or null if the policy file does not declare
 * it.
 */
export const declarationOf = ({ set }: Setting, service: string): FunctionPermissions | null =>
  permissionsOf(set, service)

/** A construct of a chart that the policy checker does not support. Its policies are not decided. */
export class NotAnalyzed extends Error {
  readonly construct: string

  constructor(construct: string) {
    super(`the policy checker does not support ${construct}`)
    this.construct = construct
  }
}

/** Largest maximum that a counter can count exactly. */
export const largestCounter = 16

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Automaton } from "../../policies/automaton.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { FunctionPermissions, ModelSignal, Policy, PolicySet } from "../../policies/policy.js"
import type { Behavior, FunctionUse } from "./behavior.js"
import type { SearchEffort } from "./search-effort.js"

/**
 * What undeclared functions do. `anything`: whatever breaks the policy. `helpful`: they do what the
 * policy waits for, and nothing that would break it.
 */
export type UndeclaredFunctions = "anything" | "helpful"

/** Everything that the behaviors of a chart need to know for one policy. */
export interface Setting {
  readonly chart: AgentChart
  readonly set: PolicySet
  readonly policy: Policy
  readonly automaton: Automaton
  readonly undeclared: UndeclaredFunctions
  /** Keys whose writes matter, because a condition or the policy reads them. */
  readonly keys: ReadonlySet<string>
  /** Whether the policy is about writes, so that it matters when a run reports them. */
  readonly readsWrites: boolean
  /** Whether a condition has an answer that depends on tracked keys only. */
  readonly decides: (condition: string) => boolean
  /** Whether an undeclared function could do what the policy waits for. */
  readonly helps: (use: FunctionUse) => boolean
  /** The values that write atoms of the policy name, by key. */
  readonly writeValues: ReadonlyMap<string, readonly unknown[]>
  /** How many calls of one response can matter at the same time. */
  readonly concurrentCalls: number
  /** Maximum number of model calls of a run. */
  readonly maxModelCalls: number
  /** Largest maximum that a counter counts exactly. A larger one can be reached at any time. */
  readonly largestCounter: number
  /** Whether the counter of model calls is exact, because the maximum is small. */
  readonly countsModelCalls: boolean
  /** Whether the counter of the cycles of the root is exact, which a message of the user resets. */
  readonly countsCycles: boolean
  readonly signals: ReadonlySet<ModelSignal>
  /** Counts the states and steps of all parts of the search. */
  readonly effort: SearchEffort
  /** Creates the behavior of a machine of the chart. */
  readonly machine: (key: string, place: RunPlace) => Behavior
  /** Creates the behavior of a machine that a tool call runs, without steps that do not matter. */
  readonly target: (key: string, place: RunPlace) => Behavior
}

/** The location of a part of the chart in a run. */
export interface RunPlace {
  /** Text that is different for parts that can be at work at the same time. */
  readonly id: string
  readonly within: Occurrence["within"]
  /** Keys that are hidden here, because a branch or a called agent writes them. */
  readonly isHidden: boolean
  /** Whether a block around this part starts more branches while this part waits for people. */
  readonly countsWaiting: boolean
  /** Whether the part around this one reports what was written when this part waits for people. */
  readonly reportsPauses: boolean
}

/** Returns the maximum number of model calls of a run. */
export const maxModelCallsOf = ({ settings }: AgentChart): number =>
  Math.min(settings.maxModelCalls, settings.budget?.maxModelCalls ?? Infinity)

/** Returns what a host function may do, or null if the policy file does not declare it. */
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

import type { Outcome } from "../machines/contract/run-event.js"
import type { Atom, NamePattern } from "./atom.js"

/**
 * The contents of a policy file: the policies, declarations of host functions, and assumptions
 * about runs.
 */
export interface PolicySet {
  /** Path of the policy file, for messages. null if the policies do not come from a file. */
  readonly file: string | null
  readonly policies: readonly Policy[]
  /**
   * Permissions of host functions (functions that you register), by service name. The key `"*"`
   * applies to all other functions.
   */
  readonly functions: Readonly<Record<string, FunctionPermissions>>
  /** The names of the tools in each toolset, by toolset id. */
  readonly toolsets: Readonly<Record<string, readonly string[]>>
  readonly assume: Assumptions
  /**
   * Prices of models, in the format of the `--prices` file. null if the policy file contains no
   * prices.
   */
  readonly prices: Readonly<Record<string, unknown>> | null
  /** Maximum number of states that the policy checker explores for one policy. */
  readonly maxStates: number
}

/** A rule that every run of a workflow must follow, with the action after a violation. */
export interface Policy {
  readonly name: string
  readonly description: string | null
  readonly rule: Rule
  /**
   * Patterns for agent names. The policy applies only to occurrences, such as tool calls, inside
   * these agents. null means that it applies everywhere.
   */
  readonly inside: NamePattern | null
  readonly per: PolicyScope
  readonly enforce: boolean
  readonly onViolation: ViolationAction | null
  /** Position of the policy in its file. The first line and column are 1. */
  readonly line: number
  readonly column: number
}

export type ViolationAction = "refuse" | "ask" | "fail" | "report"

/**
 * Where the check of a policy starts again, from the field `per`. With the type `invocation`, a
 * policy such as `atMost: 2` applies to each invocation separately.
 */
export type PolicyScope =
  | { readonly type: "run" }
  | { readonly type: "invocation" }
  | { readonly type: "agent"; readonly name: string }
  | { readonly type: "iteration"; readonly name: string }

/** A final status of a run. The field `evenIf` of a `whenever` policy lists such statuses. */
export type PolicyRunEnd = "completed" | "failed" | "limit" | "stopped"

export type Rule =
  | { readonly pattern: "never"; readonly of: readonly Atom[] }
  | { readonly pattern: "onlyAfter"; readonly of: readonly Atom[]; readonly first: readonly Atom[] }
  /** Allows a tool call only if a person approved exactly this call. */
  | { readonly pattern: "onlyAfter"; readonly of: readonly Atom[]; readonly first: "approval" }
  | { readonly pattern: "after"; readonly of: readonly Atom[]; readonly after: readonly Atom[] }
  | {
      readonly pattern: "whenever"
      readonly of: readonly Atom[]
      readonly response: readonly Atom[]
      /**
       * Final statuses of a run. If a run ends with one of them and without an occurrence of
       * `response`, the policy is violated. The list always contains `completed`.
       */
      readonly ends: readonly PolicyRunEnd[]
    }
  | { readonly pattern: "atMost"; readonly most: number; readonly of: readonly Atom[] }
  | {
      readonly pattern: "notTogether"
      readonly activities: readonly [PolicyActivity, PolicyActivity]
    }
  | {
      readonly pattern: "noFlow"
      readonly from: readonly FlowEndpoint[]
      readonly to: readonly FlowEndpoint[]
      readonly cleaners: readonly FlowCleaner[]
    }
  | {
      readonly pattern: "budget"
      readonly modelCalls: number | null
      readonly cost: number | null
    }

/**
 * An activity with a start and an end that a `notTogether` policy refers to. It is a turn of an
 * agent, or a tool call.
 */
export interface PolicyActivity {
  readonly kind: "agent" | "call"
  readonly names: NamePattern
}

export type FlowEndpointKind =
  | "result"
  | "text"
  | "key"
  | "answer"
  | "prompt"
  | "server"
  | "arguments"
  | "request"
  | "instructions"
  | "input"
  | "model"

/** A source or a sink of data in a `noFlow` policy, for example the result of a tool as source. */
export interface FlowEndpoint {
  readonly kind: FlowEndpointKind
  readonly names: NamePattern
}

/**
 * A step that makes data from a source safe, so that a `noFlow` policy allows it to reach a sink.
 * The step is an approval, the text of an agent, or the result of a tool.
 */
export type FlowCleaner =
  | "approval"
  | { readonly kind: "text" | "result"; readonly names: NamePattern }

/**
 * The effects that a host function (a function that you register) may have, as declared in the
 * policy file.
 */
export interface FunctionPermissions {
  readonly mayCall: readonly string[]
  readonly mayWrite: readonly string[]
  readonly mayRead: readonly string[]
  readonly passes: boolean
  readonly mayAnswer: boolean
  readonly mayChangeArguments: boolean
  readonly mayEscalate: boolean
  readonly mayTransferTo: readonly string[]
  readonly maySkipSummarization: boolean
  /**
   * Names of the routes that the function of a router node may return. null means that the function
   * may return any name, including a name that no edge has.
   */
  readonly mayReturn: readonly string[] | null
  /**
   * The decisions that a policy engine can make, by tool name. null means that it can make every
   * decision for every tool.
   */
  readonly decides: Readonly<Record<string, readonly EngineDecision[]>> | null
}

export type EngineDecision = "ALLOW" | "DENY" | "CONFIRM"

export type ModelSignal = "exitFlow" | "escalate" | "waitForUserInput" | "hitlRequest"

export const modelSignals = ["exitFlow", "escalate", "waitForUserInput", "hitlRequest"] as const

export interface Assumptions {
  readonly modelSignals: readonly ModelSignal[]
  readonly startState: "any" | "chart"
  readonly session: "new" | "any"
  /**
   * Maximum number of tool rounds in a turn, which are model responses whose tool calls are
   * executed. Only `budget` policies use this assumption. null means no assumption.
   */
  readonly toolRounds: number | null
}

/** The agent outcomes that a policy about `finish` selects by default. */
export const finishedOutcomes: readonly Outcome[] = ["done", "exited", "escalated"]

import type { PolicyResult, PolicyWarning } from "../../../analysis/index.js"
import type { PolicySet } from "../../../compiler/index.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { Run } from "../../../runtime/run/run.js"
import type { StartOptions } from "../../../runtime/runner/runner-options.js"
import type { RunServices } from "../../../serving/run-services.js"

/**
 * A policy file that applies to all runs of the studio, because the user has passed it on the
 * command line. It may be outside the workspace.
 */
export interface SelectedPolicyFile {
  /** Path of the file, as the user has entered it. */
  readonly path: string
  /**
   * Whether calls that would violate a policy are stopped. If false, violations are only reported.
   */
  readonly isEnforced: boolean
}

/**
 * Checks policies against charts. The studio defines this interface, and the command line
 * implements it.
 */
export interface PolicyChecker {
  readonly selected: readonly SelectedPolicyFile[]
  /**
   * Checks the policies of one file against a chart. `workflow` is the path of the file that
   * defines the chart. If a policy is violated, a run executes the counterexample to confirm the
   * violation.
   */
  decide(chart: AgentChart, set: PolicySet, workflow: string): Promise<DecidedPolicies>
}

export interface DecidedPolicies {
  /** The results of the checks, in the order of the policies in the file. */
  readonly results: readonly DecidedPolicy[]
  readonly warnings: readonly PolicyWarning[]
}

export type DecidedPolicy = Omit<PolicyResult, "counterexample"> & {
  readonly counterexample: PlayableCounterexample | null
}

type Counterexample = NonNullable<PolicyResult["counterexample"]>

/** A counterexample of a policy that a run has confirmed. Another run can execute it again. */
export interface PlayableCounterexample extends Omit<Counterexample, "script"> {
  /** The event of the run that violates the policy. */
  readonly seen: { readonly seq: number; readonly type: string }
  /**
   * Prepares a run that executes the counterexample. Returns the input and the services of the run.
   */
  open(): Promise<CounterexampleRun>
}

/** The input and the services of a run that executes the counterexample of a policy. */
export interface CounterexampleRun {
  readonly input: Pick<StartOptions, "prompt" | "state">
  /** Path of the file with the scripted responses of models and tools. */
  readonly scenario: string
  readonly services: RunServices
  /**
   * Answers the pending requests of the run with the scripted answers of the counterexample.
   * Resolves when the run needs no more answers or no scripted answer remains.
   */
  giveAnswers(run: Run): Promise<void>
}

import type { PolicyResult, PolicyWarning } from "../../../analysis/index.js"
import type { PolicySet } from "../../../compiler/index.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { Run } from "../../../runtime/run/run.js"
import type { StartOptions } from "../../../runtime/runner/runner-options.js"
import type { RunServices } from "../../../serving/run-services.js"

/**
 * A policy file that the user has selected for all runs of the studio. It may be outside the
 * workspace.
 */
export interface SelectedPolicyFile {
  /** Path of the file, exactly as the user has entered it. */
  readonly path: string
  /**
   * Whether calls that would violate a policy are stopped. If false, violations are only reported.
   */
  readonly isEnforced: boolean
}

/** A checker of policies. The studio defines this interface, and the command line implements it. */
export interface PolicyChecker {
  readonly selected: readonly SelectedPolicyFile[]
  /**
   * Checks the policies of one file against a chart. For each violated policy, executes the
   * counterexample in a run to confirm it.
   */
  decide(chart: AgentChart, set: PolicySet, workflow: string): Promise<DecidedPolicies>
}

export interface DecidedPolicies {
  /** The verdicts, in the order of the policies in the file. */
  readonly results: readonly DecidedPolicy[]
  readonly warnings: readonly PolicyWarning[]
}

export type DecidedPolicy = Omit<PolicyResult, "counterexample"> & {
  readonly counterexample: PlayableCounterexample | null
}

type Counterexample = NonNullable<PolicyResult["counterexample"]>

/** A counterexample that a run has confirmed. It can be executed again. */
export interface PlayableCounterexample extends Omit<Counterexample, "script"> {
  /** The event that violates the policy. */
  readonly seen: { readonly seq: number; readonly type: string }
  /** Opens the services of a run that executes the counterexample. */
  open(): Promise<CounterexampleRun>
}

/** The input and the services of a run that executes a counterexample. */
export interface CounterexampleRun {
  readonly input: Pick<StartOptions, "prompt" | "state">
  /** Path of the file with the scripted responses. */
  readonly scenario: string
  readonly services: RunServices
  /**
   * Answers the run's pending requests with the scripted answers of the counterexample. Resolves
   * when the run needs no further answer or no scripted answer is left.
   */
  giveAnswers(run: Run): Promise<void>
}

import type { PolicyResult, PolicyWarning } from "../../../analysis/index.js"
import type { PolicySet } from "../../../compiler/index.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { Run } from "../../../runtime/run/run.js"
import type { StartOptions } from "../../../runtime/runner/runner-options.js"
import type { RunServices } from "../../../serving/run-services.js"

/** A policy file that applies to all runs of the studio. It may be outside the workspace. */
export interface SelectedPolicyFile {
  /** Path of the file, exactly as the user has entered it. */
  readonly path: string
  /** Whether calls that would violate a policy are stopped. Otherwise they are only reported. */
  readonly isEnforced: boolean
}

/** Checks policies against charts. The command line implements this port. */
export interface PolicyChecker {
  readonly selected: readonly SelectedPolicyFile[]
  /**
   * Checks the policies of one file against a chart, and plays the counterexamples of violated
   * policies.
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

/** A counterexample that was confirmed by a run, and that can be played again. */
export interface PlayableCounterexample extends Omit<Counterexample, "script"> {
  /** The event that violates the policy. */
  readonly seen: { readonly seq: number; readonly type: string }
  /** Opens the services of a run that plays the counterexample. */
  open(): Promise<CounterexampleRun>
}

/** The input and the services of a run that plays a counterexample. */
export interface CounterexampleRun {
  readonly input: Pick<StartOptions, "prompt" | "state">
  /** Path of the file with the scripted responses. */
  readonly scenario: string
  readonly services: RunServices
  /** Sends the scripted answers of people to the run while it executes. */
  giveAnswers(run: Run): Promise<void>
}

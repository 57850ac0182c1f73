import type { PolicyResult, PolicyWarning } from "../../../analysis/index.js"
import type { PolicySet } from "../../../compiler/index.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { Run } from "../../../runtime/run/run.js"
import type { StartOptions } from "../../../runtime/runner/runner-options.js"
import type { RunServices } from "../../../serving/run-services.js"

/** A policy file that the runs of the studio follow, wherever it is. */
export interface SelectedPolicyFile {
  /** Path of the file, as the user has passed it. */
  readonly path: string
  /** Whether calls that would violate a policy are stopped. Otherwise they are only reported. */
  readonly isEnforced: boolean
}

/** Decides policies for charts. The command line implements it. */
export interface PolicyChecker {
  readonly selected: readonly SelectedPolicyFile[]
  /** Decides the policies of one file and plays their counterexamples. */
  decide(chart: AgentChart, set: PolicySet, workflow: string): Promise<DecidedPolicies>
}

export interface DecidedPolicies {
  /** The verdicts, in the order of the file. */
  readonly results: readonly DecidedPolicy[]
  readonly warnings: readonly PolicyWarning[]
}

export type DecidedPolicy = Omit<PolicyResult, "counterexample"> & {
  readonly counterexample: PlayableCounterexample | null
}

type Counterexample = NonNullable<PolicyResult["counterexample"]>

/** A counterexample that was played, and can be played again. */
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
  /** Gives the answers of people while the run is executed. */
  giveAnswers(run: Run): Promise<void>
}

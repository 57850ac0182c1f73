import type { RunError } from "../../machines/contract/run-event.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import type { Host, LeafCall } from "../driver/host.js"
import type { Instance } from "../driver/instance.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { policyGate } from "../policies/policy-gate.js"
import type { RunSession } from "../session/run-session.js"

/**
 * All objects that are needed to execute a run, such as its header, its executable machines and its
 * journal.
 */
export interface RunParts {
  readonly header: JournalHeader
  /**
   * Returns the executable machine for a machine key of the chart, or undefined if the chart has no
   * such machine.
   */
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /**
   * Error that prevents the run from starting, for example because a service is missing. null if
   * the run can start.
   */
  readonly refusal: RunError | null
  /** Session of the run. null if the run has no session. */
  readonly session: RunSession | null
  /**
   * Creates the object that checks the run against its policies. null if the runtime does not
   * support policies.
   */
  readonly policyGate: typeof policyGate | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

/**
 * Callbacks for each call that a machine requests and for each machine that is stopped. They are
 * also called during a replay of stored records.
 */
export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

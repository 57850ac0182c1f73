import type { RunError } from "../../machines/contract/run-event.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import type { Host, LeafCall } from "../driver/host.js"
import type { Instance } from "../driver/instance.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { policyGate } from "../policies/policy-gate.js"
import type { RunSession } from "../session/run-session.js"

/**
 * Everything that is needed to execute a run, such as its header, its compiled machines and the
 * journal.
 */
export interface RunParts {
  readonly header: JournalHeader
  /** Returns a compiled machine of the chart by its key, or undefined if it does not exist. */
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /**
   * Error that prevents the run from starting, for example a missing service; null if the run can
   * start.
   */
  readonly refusal: RunError | null
  /** Session of the run; null for a standalone run. */
  readonly session: RunSession | null
  /**
   * Creates the object that applies the run's policies; null if the runtime does not include
   * policies.
   */
  readonly policyGate: typeof policyGate | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

/**
 * Callbacks for each started call and each stopped machine. They are also called while past records
 * are processed.
 */
export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

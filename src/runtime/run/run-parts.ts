import type { RunError } from "../../machines/contract/run-event.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import type { Host, LeafCall } from "../driver/host.js"
import type { Instance } from "../driver/instance.js"
import type { Inspect } from "../events/inspect-run.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { RunSession } from "../session/run-session.js"

/** Everything that a run needs from outside. */
export interface RunParts {
  readonly header: JournalHeader
  /** Returns a machine of the chart by its key. */
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /** Why the run cannot start; null if it can. */
  readonly refusal: RunError | null
  /** The session of the run; null for a standalone run. */
  readonly session: RunSession | null
  readonly watch?: RunWatch
  readonly inspect?: Inspect
}

/** Receives every call and every machine that stops, also while past records are processed. */
export interface RunWatch {
  called(call: LeafCall): void
  stopped(instance: Instance): void
}

import type { Announcement } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/** Carries out the driver's leaf calls. */
export interface DriverCalls {
  /** Returns what stops it, or null while nothing is carried out. */
  start(call: LeafCall): (() => void) | null
}

/** What the driver tells the run it belongs to. */
export interface DriverObserver {
  announced(event: Announcement, instance: Instance): void
  stoppedInstance(instance: Instance): void
  /** The root machine is in a final state. */
  finished(output: unknown): void
  /** A machine threw: the chart or the code is broken. */
  broke(error: unknown): void
  /** A macrostep is over; `event` is null for the first one of a machine. Absent where nobody looks that closely. */
  stands?(instance: Instance, event: MachineEvent | null): void
}

import type { Announcement } from "../machines/run-event.js"
import type { MachineEvent } from "../machines/step.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/** What the driver tells the run it belongs to. */
export interface DriverObserver {
  announced(event: Announcement, instance: Instance): void
  /** A leaf call is to be carried out. Returns what stops it, or null while nothing is carried out. */
  started(call: LeafCall): (() => void) | null
  stoppedInstance(instance: Instance): void
  /** The root machine is in a final state. */
  finished(output: unknown): void
  /** A machine threw: the chart or the code is broken. */
  broke(error: unknown): void
  /** A macrostep is over; `event` is null for the first one of a machine. Absent where nobody looks that closely. */
  stands?(instance: Instance, event: MachineEvent | null): void
}

import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/** Starts the leaf calls of a `Driver`. */
export interface DriverCalls {
  /**
   * Starts a leaf call and returns a function that stops it. Returns null if the past of a run is
   * being replayed. The call is then not started.
   */
  start(call: LeafCall): (() => void) | null
}

/** Callbacks for events in the machines of a `Driver`. */
export interface DriverObserver {
  emitted(event: EmittedEvent, instance: Instance): void
  instanceStopped(instance: Instance): void
  /** Called when the root machine has reached a final state. */
  finished(output: unknown): void
  /** Called when a machine threw an error, so that the run cannot continue. */
  failed(error: unknown): void
  /**
   * Called after each macrostep. `event` is null for the first macrostep of a machine. Only
   * inspectors need this callback.
   */
  transitioned?(instance: Instance, event: MachineEvent | null): void
}

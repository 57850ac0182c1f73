import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/** Starts the leaf calls of a driver. */
export interface DriverCalls {
  /** Starts a call. Returns a function that stops it, or null if the run is being replayed. */
  start(call: LeafCall): (() => void) | null
}

/** Receives what happens in the machines of a driver. */
export interface DriverObserver {
  emitted(event: EmittedEvent, instance: Instance): void
  instanceStopped(instance: Instance): void
  /** The root machine has reached a final state. */
  finished(output: unknown): void
  /** A machine threw an error, so the run cannot continue. */
  failed(error: unknown): void
  /**
   * A macrostep has ended; `event` is null for the first one of a machine. Only inspectors need it.
   */
  transitioned?(instance: Instance, event: MachineEvent | null): void
}

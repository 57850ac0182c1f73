import type { PolicyJudgement, ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/**
 * An object that starts the leaf calls of a `Driver`: model calls, tool calls, host functions and
 * pauses.
 */
export interface DriverCalls {
  /**
   * Starts a leaf call and returns a function that stops it. While past records are replayed, the
   * call is not started and null is returned.
   */
  start(call: LeafCall): (() => void) | null
}

/** Callbacks that a `Driver` calls for the events in its machines. */
export interface DriverObserver {
  /**
   * Called when a machine emits an event. Returns false if a policy prevents the event. The call or
   * agent that the event announces must then not start.
   */
  emitted(event: EmittedEvent, instance: Instance): boolean
  /**
   * Called before a tool call is made. Returns the decision of the policies about the tool call, or
   * null if they allow it.
   */
  judge(event: ToolCalledEvent): PolicyJudgement | null
  /** Returns whether a policy has ended the run. If so, no call may start. */
  isHalted(): boolean
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

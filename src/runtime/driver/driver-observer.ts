import type { PolicyJudgement, ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { LeafCall } from "./host.js"
import type { Instance } from "./instance.js"

/**
 * Starts the external calls that a `Driver` requests: model calls, tool calls, host functions
 * (functions that your program registers) and pauses.
 */
export interface DriverCalls {
  /**
   * Starts a call and returns a function that stops it. During a replay of stored records, does not
   * start the call and returns null.
   */
  start(call: LeafCall): (() => void) | null
}

/**
 * Callbacks through which a `Driver` (the interpreter of a run) reports events of its state
 * machines.
 */
export interface DriverObserver {
  /**
   * Called when a machine emits an event. Returns false if a policy forbids the event. Then the
   * model call or agent that the event announces must not start.
   */
  emitted(event: EmittedEvent, instance: Instance): boolean
  /**
   * Called before a tool call is made. Returns the decision of the policies about the call, or null
   * if no policy objects.
   */
  judge(event: ToolCalledEvent): PolicyJudgement | null
  /** Returns true if a policy has ended the run. No further call may start then. */
  isHalted(): boolean
  instanceStopped(instance: Instance): void
  /** Called with the output of the root machine when the root machine reaches a final state. */
  finished(output: unknown): void
  /** Called with the error if a state machine throws. The run cannot continue after this error. */
  failed(error: unknown): void
  /**
   * Called after each macrostep of a machine, for inspectors. `event` is null for the first
   * macrostep of a machine, which enters the initial state.
   */
  transitioned?(instance: Instance, event: MachineEvent | null): void
}

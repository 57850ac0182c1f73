import type { EmittedEvent, RunBoundaryEvent } from "../../machines/contract/run-event.js"

/**
 * An event that the policy monitor checks. It has the fields of a run event, but the sequence
 * number and the time may be missing.
 */
export type JudgedEvent = EmittedEvent | RunBoundaryEvent

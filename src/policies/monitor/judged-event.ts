import type { EmittedEvent, RunBoundaryEvent } from "../../machines/contract/run-event.js"

/** An event that the policy monitor checks. The sequence number and the time are optional. */
export type JudgedEvent = EmittedEvent | RunBoundaryEvent

import type { EmittedEvent, RunBoundaryEvent } from "../../machines/contract/run-event.js"

/**
 * An event that the policy monitor checks. Unlike a run event, it need not have a sequence number
 * and a time.
 */
export type JudgedEvent = EmittedEvent | RunBoundaryEvent

import type { EmittedEvent, RunBoundaryEvent } from "../../machines/contract/run-event.js"

/** An event that a monitor reads, with or without its number and time. */
export type JudgedEvent = EmittedEvent | RunBoundaryEvent

import type { ToolArguments } from "./services.js"

/** An event that a machine receives. Its type determines its fields. */
export interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

// The interpreters create events, and the run validates answers before it sends them. So these
// functions can rely on the types of the fields.

/**
 * Returns the output of a child actor from its done event. The type is not checked: the caller must
 * pass the output type of this actor.
 */
export const outputOf = <Output>(event: MachineEvent): Output => event["output"] as Output

/**
 * Returns the time of an event that has a time, such as an answer, a pause or a stop. In
 * milliseconds since the epoch.
 */
export const timeOf = (event: MachineEvent): number => event["at"] as number

/** Returns the id of the request that an answer event answers. */
export const requestIdOf = (event: MachineEvent): string => event["id"] as string

/** Returns the text of a user message. */
export const messageTextOf = (event: MachineEvent): string => event["text"] as string

/** Returns the reason for a person's rejection, or null if the person gave none. */
export const reasonOf = (event: MachineEvent): string | null =>
  (event["reason"] as string | null | undefined) ?? null

/**
 * Returns the arguments that a person edited before approving a call, or null if the proposed
 * arguments are unchanged.
 */
export const editedArgumentsOf = (event: MachineEvent): ToolArguments | null =>
  (event["args"] as ToolArguments | null | undefined) ?? null

/** Returns the id of the child actor that paused or resumed. */
export const childOf = (event: MachineEvent): string => event["child"] as string

/**
 * Returns the index of a finished child actor from its done event: the number at the end of its id,
 * such as 2 for `branch.2`.
 */
export const doneIndexOf = (event: MachineEvent, prefix: string): number =>
  Number((event["actorId"] as string).slice(prefix.length))

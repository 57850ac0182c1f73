import type { ToolArguments } from "./services.js"

/** An event that a machine receives. Its type determines its fields. */
export interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

// The interpreters create events, and the run validates answers before it sends them. So these
// functions can rely on the types of the fields.

/**
 * Returns the output of a child actor from its done event. The type is not checked, so the caller
 * must pass the actor's output type.
 */
export const outputOf = <Output>(event: MachineEvent): Output => event["output"] as Output

/**
 * Returns the time of an event such as an answer, a pause or a stop, in milliseconds since the
 * epoch.
 */
export const timeOf = (event: MachineEvent): number => event["at"] as number

/** Returns the id of the request that an answer event answers. */
export const requestIdOf = (event: MachineEvent): string => event["id"] as string

/** Returns the text of a user message. */
export const messageTextOf = (event: MachineEvent): string => event["text"] as string

/** Returns a person's reason for a rejection, or null if the person did not give one. */
export const reasonOf = (event: MachineEvent): string | null =>
  (event["reason"] as string | null | undefined) ?? null

/**
 * Returns the arguments that a person edited before they approved a call, or null if they approved
 * the proposed arguments.
 */
export const editedArgumentsOf = (event: MachineEvent): ToolArguments | null =>
  (event["args"] as ToolArguments | null | undefined) ?? null

/** Returns the id of the child actor that paused or resumed, from its event. */
export const childOf = (event: MachineEvent): string => event["child"] as string

/**
 * Returns the index of a finished child actor from its done event. The index is the number at the
 * end of the actor's id, such as 2 in `branch.2`.
 */
export const doneIndexOf = (event: MachineEvent, prefix: string): number =>
  Number((event["actorId"] as string).slice(prefix.length))

import type { ToolArguments } from "./services.js"

/**
 * An event that a machine of this package receives. The type of the event determines its fields.
 */
export interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

// The interpreters create events, and the run validates answers before it sends them. So these
// functions can rely on the types of the fields.

/**
 * Returns the output of a child actor from its done event. The type is not checked, so the caller
 * must pass the output type of this actor.
 */
export const outputOf = <Output>(event: MachineEvent): Output => event["output"] as Output

/**
 * Returns the time of an event, in milliseconds since the epoch. Only events with a field `at` have
 * a time, such as answers of people.
 */
export const timeOf = (event: MachineEvent): number => event["at"] as number

/** Returns the id of the pending request to which an answer event belongs. */
export const requestIdOf = (event: MachineEvent): string => event["id"] as string

/** Returns the text of a `user.said` event, which contains a message of the user. */
export const messageTextOf = (event: MachineEvent): string => event["text"] as string

/** Returns the reason that a person gave for a rejection, or null if there is no reason. */
export const reasonOf = (event: MachineEvent): string | null =>
  (event["reason"] as string | null | undefined) ?? null

/**
 * Returns the arguments of a tool call that a person changed in the approval. Returns null if the
 * person approved the proposed arguments.
 */
export const editedArgumentsOf = (event: MachineEvent): ToolArguments | null =>
  (event["args"] as ToolArguments | null | undefined) ?? null

/** Returns the id of the child actor in a `child.paused` or `child.resumed` event. */
export const childOf = (event: MachineEvent): string => event["child"] as string

/**
 * Returns the number at the end of a finished child actor's id. For the id `branch.2` and the
 * prefix `branch.`, it returns 2.
 */
export const doneIndexOf = (event: MachineEvent, prefix: string): number =>
  Number((event["actorId"] as string).slice(prefix.length))

import type { ToolArguments } from "./services.js"

/** An event that a machine receives. Its type determines its fields. */
export interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

// The interpreters create events, and the run validates answers before it sends them. So these
// functions can rely on the types of the fields.

/** Returns the output of the child actor from its done event. The chart defines the child. */
export const outputOf = <Output>(event: MachineEvent): Output => event["output"] as Output

/** Returns the time of an answer, a pause or a stop, in milliseconds since the epoch. */
export const timeOf = (event: MachineEvent): number => event["at"] as number

/** Returns the id of the request that an answer belongs to. */
export const requestIdOf = (event: MachineEvent): string => event["id"] as string

/** Returns the text of a user message. */
export const messageTextOf = (event: MachineEvent): string => event["text"] as string

/** Returns the reason of a rejection, or null if the person gave none. */
export const reasonOf = (event: MachineEvent): string | null =>
  (event["reason"] as string | null | undefined) ?? null

/** Returns the arguments that a person edited, or null if they approved the proposed ones. */
export const editedArgumentsOf = (event: MachineEvent): ToolArguments | null =>
  (event["args"] as ToolArguments | null | undefined) ?? null

/** Returns the id of the child actor that paused or resumed. */
export const childOf = (event: MachineEvent): string => event["child"] as string

/** Returns the number in the id of a finished child actor, such as 2 for `branch.2`. */
export const doneIndexOf = (event: MachineEvent, prefix: string): number =>
  Number((event["actorId"] as string).slice(prefix.length))

import type { ActorSummary, MachineChanges, SequenceMessage } from "./machines-api.js"

/** Maximum number of messages that the server sends and the page keeps. */
export const maxMessages = 600

/**
 * All machines of a run after a number of journal records, and the latest messages between them.
 */
export interface MachineView {
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /** Number of all messages of the run. */
  readonly count: number
}

/** The view of a run before its first message. */
export const emptyMachineView: MachineView = { actors: [], messages: [], count: 0 }

/** Returns a view after the changes since its last message. */
export function withMachineChanges(
  view: MachineView,
  { actors, messages, count }: MachineChanges,
): MachineView {
  const byId = new Map(view.actors.map((actor) => [actor.id, actor]))
  for (const actor of actors) byId.set(actor.id, actor)
  return {
    actors: [...byId.values()],
    messages: [...view.messages, ...messages].slice(-maxMessages),
    count,
  }
}

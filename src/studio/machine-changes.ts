import type { ActorSummary, MachineChanges, SequenceMessage } from "./machines-api.js"

/**
 * Maximum number of messages between the machines of a run that the server sends and the page
 * stores.
 */
export const maxMessages = 600

/**
 * Maximum number of ended machines that the page stores. Machines that a stored message refers to
 * are not counted.
 */
const maxEnded = 5_000

/**
 * The state machines of a run after a number of journal records, and the latest messages between
 * them. If many machines have ended, only the latest are included.
 */
export interface MachineView {
  readonly actors: readonly ActorSummary[]
  /** Number of ended machines that are missing in `actors`, because there were too many. */
  readonly dropped: number
  readonly messages: readonly SequenceMessage[]
  /** Total number of messages of the run, including those missing in `messages`. */
  readonly count: number
}

/** The view of a run before its first message. It contains neither machines nor messages. */
export const emptyMachineView: MachineView = { actors: [], dropped: 0, messages: [], count: 0 }

/**
 * Returns a copy of `view` with the machines and messages that are new or have changed. If the view
 * contains more than `most` machines, the oldest ended machines are dropped.
 */
export function withMachineChanges(
  view: MachineView,
  changes: MachineChanges,
  most = maxEnded,
): MachineView {
  const byId = new Map(view.actors.map((actor) => [actor.id, actor]))
  for (const actor of changes.actors) byId.set(actor.id, actor)
  const messages = [...view.messages, ...changes.messages].slice(-maxMessages)
  const actors = latest([...byId.values()], messages, most)
  return {
    actors,
    dropped: view.dropped + byId.size - actors.length,
    messages,
    count: changes.count,
  }
}

/**
 * Drops the oldest ended machines if there are more than `most` machines. Keeps the machines that a
 * message refers to, and the parents of kept machines.
 */
function latest(
  actors: readonly ActorSummary[],
  messages: readonly SequenceMessage[],
  most: number,
): readonly ActorSummary[] {
  if (actors.length <= most) return actors
  const kept = new Set<string>(messages.flatMap(({ from, to }) => [from, to]))
  let left = most
  // In the list, each machine comes after its parent. In reverse order, a kept machine can
  // therefore mark its parent as kept.
  for (const { id, parent, status } of actors.toReversed()) {
    if (status !== "active" && !kept.has(id) && left-- <= 0) continue
    kept.add(id)
    if (parent !== null) kept.add(parent)
  }
  return actors.filter(({ id }) => kept.has(id))
}

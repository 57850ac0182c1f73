import type { AnyActorRef } from "xstate"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { Embedding } from "./embedding.js"

/** Yields an actor and then all of its descendants. */
export function* actorTree(actor: AnyActorRef): Generator<AnyActorRef> {
  yield actor
  const children =
    (actor.getSnapshot() as { readonly children?: Readonly<Record<string, AnyActorRef>> })
      .children ?? {}
  for (const child of Object.values(children)) yield* actorTree(child)
}

/** Returns the pending requests in an actor and its descendants, with the actors that made them. */
export function openRequests(
  actor: AnyActorRef,
  embedding: Embedding,
): readonly { readonly request: PendingRequest; readonly actor: AnyActorRef }[] {
  return [...actorTree(actor)].flatMap((each) => {
    const kind = kindOf(each, embedding)
    const snapshot = each.getSnapshot()
    if (kind === null || snapshot.status !== "active") return []
    return kind.pending(snapshot.context as object).map((request) => ({ request, actor: each }))
  })
}

/**
 * Sends `run.stopped` to every active machine of a run. Children are stopped before their parents,
 * so that each machine can pass its finished work to its parent.
 */
export function stopMachines(
  root: AnyActorRef,
  embedding: Embedding,
  at: number,
  as: "completed" | "cancelled" | "limit",
): void {
  for (const actor of machineActors(root, embedding)) {
    if (actor.getSnapshot().status === "active")
      actor.send({ type: "run.stopped", as, at } as never)
  }
}

/**
 * Returns the machine actors below `root`, children before parents. Machines inside a tool call are
 * left out, because they end with the call.
 */
function machineActors(root: AnyActorRef, embedding: Embedding): readonly AnyActorRef[] {
  const order: AnyActorRef[] = []
  const visit = (actor: AnyActorRef): void => {
    const kind = kindOf(actor, embedding)
    if (kind === null) return
    if (kind.dropsChildren !== true) {
      const { children } = actor.getSnapshot() as {
        readonly children: Readonly<Record<string, AnyActorRef>>
      }
      for (const child of Object.values(children)) visit(child)
    }
    order.push(actor)
  }
  visit(root)
  return order
}

/**
 * Returns the machine kind of an actor, or null if the actor is a leaf call, for example a model
 * call.
 */
export function kindOf(actor: AnyActorRef, { program }: Embedding): MachineKindOfChart | null {
  const { machine } = actor.getSnapshot() as { readonly machine?: { readonly id: string } }
  if (machine === undefined) return null
  return program.machines.get(machine.id)?.kind ?? null
}

type MachineKindOfChart = NonNullable<ReturnType<Embedding["program"]["machines"]["get"]>>["kind"]

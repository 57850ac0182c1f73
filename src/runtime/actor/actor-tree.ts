import type { AnyActorLogic, AnyActorRef } from "xstate"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { MachineProgram } from "../program/program.js"
import { requestInNode } from "../events/in-node.js"
import type { Embedding } from "./embedding.js"

/** Yields an actor and then all of its descendants. */
export function* actorTree(actor: AnyActorRef): Generator<AnyActorRef> {
  yield actor
  for (const child of Object.values(childrenOf(actor))) yield* actorTree(child)
}

/** Returns the children of an actor by id. For a leaf call, returns an empty object. */
export const childrenOf = (actor: AnyActorRef): Readonly<Record<string, AnyActorRef>> =>
  (actor.getSnapshot() as { readonly children?: Readonly<Record<string, AnyActorRef>> }).children ??
  {}

/**
 * Returns the pending requests of an actor and its descendants, each with the actor that made it.
 */
export function openRequests(
  actor: AnyActorRef,
  embedding: Embedding,
): readonly { readonly request: PendingRequest; readonly actor: AnyActorRef }[] {
  return [...actorTree(actor)].flatMap((each) => {
    const program = programOf(each, embedding)
    const snapshot = each.getSnapshot()
    if (program === null || snapshot.status !== "active") return []
    const { kind, lookup } = program
    return kind
      .pending(snapshot.context as object)
      .map((request) => ({ request: requestInNode(request, lookup.chart), actor: each }))
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
  error: RunError | null = null,
): void {
  for (const actor of machineActors(root, embedding)) {
    if (actor.getSnapshot().status === "active") actor.send({ type: "run.stopped", as, at, error })
  }
}

/**
 * Returns `root` and the machine actors below it, children before parents. Machines inside a tool
 * call are omitted, because they end with the call.
 */
function machineActors(root: AnyActorRef, embedding: Embedding): readonly AnyActorRef[] {
  const order: AnyActorRef[] = []
  const visit = (actor: AnyActorRef): void => {
    const kind = kindOf(actor, embedding)
    if (kind === null) return
    if (kind.dropsChildren !== true)
      for (const child of Object.values(childrenOf(actor))) visit(child)
    order.push(actor)
  }
  visit(root)
  return order
}

/**
 * Returns the machine kind of an actor, or null if the actor is a leaf call, for example a model
 * call.
 */
export const kindOf = (actor: AnyActorRef, embedding: Embedding): MachineProgram["kind"] | null =>
  programOf(actor, embedding)?.kind ?? null

/** Returns the program of a machine actor, or null if the actor is a leaf call. */
export function programOf(
  actor: AnyActorRef,
  { program, machines }: Embedding,
): MachineProgram | null {
  const { machine } = actor.getSnapshot() as { readonly machine?: AnyActorLogic & { id: string } }
  if (machine === undefined) return null
  // `provide` returns a new machine, so a machine that was changed with `provide` is found by its
  // id.
  return machines.get(machine) ?? program.machines.get(machine.id) ?? null
}

import type { AnyActorLogic, AnyActorRef } from "xstate"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { MachineProgram } from "../program/program.js"
import { requestInNode } from "../events/in-node.js"
import type { MachineBinding } from "./machine-binding.js"

/** Yields an XState actor, and then all of its descendants in depth-first order. */
export function* actorTree(actor: AnyActorRef): Generator<AnyActorRef> {
  yield actor
  for (const child of Object.values(childrenOf(actor))) yield* actorTree(child)
}

/**
 * Returns the child actors of an XState actor by id. An actor that executes a single call (for
 * example a model call) has no children, so the function returns an empty object for it.
 */
export const childrenOf = (actor: AnyActorRef): Readonly<Record<string, AnyActorRef>> =>
  (actor.getSnapshot() as { readonly children?: Readonly<Record<string, AnyActorRef>> }).children ??
  {}

/**
 * Returns the pending requests (for example approvals) of an actor and its descendants. Each entry
 * also contains the actor that created the request.
 */
export function openRequests(
  actor: AnyActorRef,
  binding: MachineBinding,
): readonly { readonly request: PendingRequest; readonly actor: AnyActorRef }[] {
  return [...actorTree(actor)].flatMap((each) => {
    const program = programOf(each, binding)
    const snapshot = each.getSnapshot()
    if (program === null || snapshot.status !== "active") return []
    const { kind, lookup } = program
    return kind
      .pending(snapshot.context as object)
      .map((request) => ({ request: requestInNode(request, lookup.chart), actor: each }))
  })
}

/**
 * Sends the event `run.stopped` to every active state machine of a run. Child machines receive it
 * before their parents, so that each machine can pass its finished work to its parent. `at` is in
 * milliseconds since the epoch.
 */
export function stopMachines(
  root: AnyActorRef,
  binding: MachineBinding,
  at: number,
  as: "completed" | "cancelled" | "limit",
  error: RunError | null = null,
): void {
  for (const actor of machineActors(root, binding)) {
    if (actor.getSnapshot().status === "active") actor.send({ type: "run.stopped", as, at, error })
  }
}

/**
 * Returns `root` and the state machine actors below it, children before parents. Omits the machines
 * that run inside a tool call, because they end together with the call.
 */
function machineActors(root: AnyActorRef, binding: MachineBinding): readonly AnyActorRef[] {
  const order: AnyActorRef[] = []
  const visit = (actor: AnyActorRef): void => {
    const kind = kindOf(actor, binding)
    if (kind === null) return
    if (kind.dropsChildren !== true)
      for (const child of Object.values(childrenOf(actor))) visit(child)
    order.push(actor)
  }
  visit(root)
  return order
}

/**
 * Returns the implementation of the machine that an actor executes, such as its guards and actions.
 * Returns null if the actor executes a single call, for example a model call.
 */
export const kindOf = (
  actor: AnyActorRef,
  binding: MachineBinding,
): MachineProgram["kind"] | null => programOf(actor, binding)?.kind ?? null

/**
 * Returns the chart machine that an actor executes, together with its implementation. Returns null
 * if the actor executes a single call, for example a model call.
 */
export function programOf(
  actor: AnyActorRef,
  { program, machines }: MachineBinding,
): MachineProgram | null {
  const { machine } = actor.getSnapshot() as { readonly machine?: AnyActorLogic & { id: string } }
  if (machine === undefined) return null
  // XState's `provide` returns a new machine object. If a program has used it, the machine is found
  // by its id.
  return machines.get(machine) ?? program.machines.get(machine.id) ?? null
}

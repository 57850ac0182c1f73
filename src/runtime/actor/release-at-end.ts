import type { AnyActorRef } from "xstate"
import type { ActorWithParent, Embedding } from "./embedding.js"

/**
 * Aborts the suspended host functions of a run when its root actor ends. A suspended function has
 * no actor that XState could stop.
 */
export function releaseAtEnd(
  self: ActorWithParent,
  { released, host }: Embedding,
  runId: string,
): void {
  const { system } = self
  if (released.has(system)) return
  released.add(system)
  let root = self
  while (root._parent !== undefined) root = root._parent
  const subscription = system.inspect((event) => {
    // `event.actorRef` and `root` have different types but are the same object.
    if (event.type !== "@xstate.snapshot" || event.actorRef !== (root as unknown as AnyActorRef))
      return
    if ((event.snapshot as { readonly status: string }).status === "active") return
    subscription.unsubscribe()
    host.release(runId)
  })
}

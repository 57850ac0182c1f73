import type { AnyActorRef } from "xstate"
import type { Embedding, Self } from "./embedding.js"

/** Host code that waits at a step has no actor of its own then: it is told to stop when the actor that the run is has ended. */
export function releaseAtEnd(self: Self, { watched, host }: Embedding, runId: string): void {
  const { system } = self
  if (watched.has(system)) return
  watched.add(system)
  let root = self
  while (root._parent !== undefined) root = root._parent
  const subscription = system.inspect((event) => {
    // The actor itself, whatever its types say of it.
    if (event.type !== "@xstate.snapshot" || event.actorRef !== (root as unknown as AnyActorRef))
      return
    if ((event.snapshot as { readonly status: string }).status === "active") return
    subscription.unsubscribe()
    host.release(runId)
  })
}

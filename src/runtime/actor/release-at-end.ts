import type { AnyActorRef } from "xstate"
import type { ActorWithParent, MachineBinding } from "./machine-binding.js"
import { rootOf } from "./machine-binding.js"

/**
 * Calls `host.release` when the actor of a run ends, to abort the run's suspended host functions
 * (functions that your program registers). XState cannot stop a suspended function, because it has
 * no actor.
 */
export function releaseAtEnd(self: ActorWithParent, binding: MachineBinding, runId: string): void {
  const root = rootOf(self, binding)
  const { released, host } = binding
  if (released.has(root)) return
  released.add(root)
  const subscription = root.system.inspect((event) => {
    // `event.actorRef` and `root` have different types but are the same object.
    if (event.type !== "@xstate.snapshot" || event.actorRef !== (root as unknown as AnyActorRef))
      return
    if ((event.snapshot as { readonly status: string }).status === "active") return
    subscription.unsubscribe()
    host.release(runId)
  })
}

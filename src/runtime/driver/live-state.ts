import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { AnyMachineKind } from "../../machines/registry/machine-definition.js"

/** A running machine: its compiled form and its current context. */
interface RunningMachine {
  readonly machine: { readonly program: { readonly kind: AnyMachineKind } }
  readonly context: object
}

/**
 * Returns the context of the root machine. If a graph is running, the context includes the session
 * state that the graph has produced so far.
 */
export function withLiveState(
  root: OrchestrationContext,
  children: readonly RunningMachine[],
): OrchestrationContext {
  const scope = root.scopes[""]
  for (const { machine, context } of children) {
    const state = machine.program.kind.liveState?.(context)
    if (state !== undefined && scope !== undefined)
      return { ...root, scopes: { ...root.scopes, "": { ...scope, state } } }
  }
  return root
}

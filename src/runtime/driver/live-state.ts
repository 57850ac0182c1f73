import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { AnyMachineKind } from "../../machines/registry/machine-definition.js"

/** A running state machine: its implementation and its current context. */
interface RunningMachine {
  readonly machine: { readonly program: { readonly kind: AnyMachineKind } }
  readonly context: object
}

/**
 * Returns the context of a run's root machine. If a workflow graph is running, the returned context
 * contains the current session state of the graph.
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

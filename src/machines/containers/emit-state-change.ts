import type { StateMeta } from "../contract/chart-machine.js"
import { visiblePatch } from "../contract/artifacts.js"
import type { OrchestrationContext } from "./orchestration-context.js"
import { changeScope, getScope, locationOf } from "./orchestration-context.js"
import type { AgentLocation } from "../contract/run-event.js"
import type { StatePatch } from "../data/session-state.js"
import { applyPatch, isEmptyPatch } from "../data/session-state.js"
import type { Step } from "../contract/machine-kind.js"

/**
 * Emits a `state.changed` event for a state patch. Keys that are hidden from users are omitted. If
 * no other key changed, nothing is emitted.
 */
export function emitStateChange(location: AgentLocation, changed: StatePatch, step: Step): void {
  const patch = visiblePatch(changed)
  if (isEmptyPatch(patch)) return
  const { agent, path, branch } = location
  step.emit({
    type: "state.changed",
    set: patch.set,
    removed: patch.removed,
    agent,
    path,
    branch,
  })
}

/**
 * Applies state changes of a host function to the session state of its parallel branch, in order,
 * and emits a `state.changed` event for each change.
 */
export function applyHostChangesTo(
  context: OrchestrationContext,
  meta: StateMeta,
  changed: readonly StatePatch[],
  step: Step,
): void {
  for (const patch of changed) {
    if (isEmptyPatch(patch)) continue
    changeScope(context, meta.scope, {
      state: applyPatch(getScope(context, meta.scope).state, patch),
    })
    emitStateChange(locationOf(context, meta), patch, step)
  }
}

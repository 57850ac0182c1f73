import type { StatePatch } from "../../machines/data/session-state.js"
import type { Instance, Leaf } from "./instance.js"
import { isInstance } from "./instance.js"
import { editContext, inputWith, stateEdit } from "./state-edit.js"

/**
 * Changes the session state of a machine instance and of all its descendants. Also updates the
 * inputs of calls in flight, and returns these calls, because they must be started again with the
 * changed state.
 */
export function editInstances(
  root: Instance,
  patch: StatePatch,
  isInFlight: (n: number) => boolean,
): readonly Leaf[] {
  const change = stateEdit(patch)
  const changed: Leaf[] = []
  const visit = ({ machine: { program }, context, children }: Instance): void => {
    const { kind, lookup } = program
    editContext(context, change)
    kind.refill?.(context)
    for (const child of children.values()) {
      if (isInstance(child)) visit(child)
      else if (isInFlight(child.n)) {
        child.input =
          child.invoked === null
            ? inputWith(child.input, patch)
            : kind.childInput(context, child.src, child.invoked, lookup)
        changed.push(child)
      }
    }
  }
  visit(root)
  return changed
}

import type { StatePatch } from "../../machines/data/session-state.js"
import type { Instance, Leaf } from "./instance.js"
import { isInstance } from "./instance.js"
import { editContext, inputWith, stateEdit } from "./state-edit.js"

/** Changes the session state of all machines from one on. Gives the calls that are to be made with the new one. */
export function editInstances(
  root: Instance,
  patch: StatePatch,
  isInFlight: (n: number) => boolean,
): readonly Leaf[] {
  const change = stateEdit(patch)
  const told: Leaf[] = []
  const visit = ({ machine: { program }, context, children }: Instance): void => {
    const { kind, lookup } = program
    editContext(context, change)
    kind.refill?.(context)
    for (const child of children.all()) {
      if (isInstance(child)) visit(child)
      else if (isInFlight(child.n)) {
        child.input =
          child.invoked === null
            ? inputWith(child.input, patch)
            : kind.childInput(context, child.src, child.invoked, lookup)
        told.push(child)
      }
    }
  }
  visit(root)
  return told
}

import type { AnyStateMachine, AnyStateNode } from "xstate"
import type {
  UserMachine,
  UserState,
  UserTransition,
} from "../../../machines/contract/host/user-machine.js"

/**
 * Returns the states and transitions of an XState machine as JSON, for the config of a
 * MachineAgent. Guards are included by name. All other functions are omitted.
 */
export const describeMachine = (machine: AnyStateMachine): UserMachine => ({
  id: machine.id,
  ...describeNode(machine.root),
})

function describeNode(node: AnyStateNode): UserState {
  const transitions = [...node.transitions.values()].flat()
  const described = [...transitions, ...(node.always ?? [])].map(describeTransition)
  const states = Object.entries(node.states)
  const [first] = node.type === "compound" ? node.initial.target : []
  return {
    type: node.type,
    ...(first !== undefined && { initial: first.key }),
    ...(node.invoke.length > 0 && {
      invokes: node.invoke.map(({ id, src }) => ({ id, src: String(src) })),
    }),
    ...(described.length > 0 && { transitions: described }),
    ...(states.length > 0 && {
      states: Object.fromEntries(states.map(([key, state]) => [key, describeNode(state)])),
    }),
  }
}

function describeTransition({
  eventType,
  target,
  guard,
}: AnyStateNode["transitions"] extends Map<string, (infer Transition)[]>
  ? Transition
  : never): UserTransition {
  const name = nameOf(guard)
  return {
    event: eventType,
    ...(target !== undefined && { targets: target.map(({ path }) => path.join(".")) }),
    ...(name !== null && { guard: name }),
  }
}

/**
 * Returns the name of a guard, or `condition` if the guard is a function without a name. Returns
 * null if there is no guard.
 */
function nameOf(guard: unknown): string | null {
  if (guard === undefined || guard === null) return null
  if (typeof guard === "string") return guard
  if (typeof guard === "function") return guard.name === "" ? "condition" : guard.name
  const { type } = guard as { readonly type?: unknown }
  return typeof type === "string" ? type : "condition"
}

import type { AnyActorLogic, AnyStateMachine, AnyStateNode } from "xstate"
import { isStateMachine } from "./machine-service.js"
import { isAsynchronous, isPromiseLogic } from "./stub-actors.js"

/**
 * Returns a description of the first actor that prevents a MachineAgent from running an XState
 * machine. An example is `invokes an actor that has no name`. Returns null if all actors are
 * supported. `agents` contains the names of the agents that the machine can invoke.
 */
export function unsupportedActor(
  machine: AnyStateMachine,
  agents: readonly string[],
): string | null {
  const own = machine.implementations.actors as Readonly<Record<string, AnyActorLogic>>
  for (const src of invokedBy(machine.root)) {
    if (agents.includes(src)) continue
    const logic = Object.hasOwn(own, src) ? own[src] : undefined
    if (logic === undefined)
      return src.startsWith("xstate.invoke.")
        ? "invokes an actor that has no name"
        : `invokes "${src}", which is neither one of its actors nor a sub-agent`
  }
  for (const [name, logic] of Object.entries(own)) {
    if (agents.includes(name)) continue
    if (isStateMachine(logic)) {
      const problem = unsupportedActor(logic, agents)
      if (problem !== null) return `has the actor "${name}", which ${problem}`
    } else if (isAsynchronous(logic) && !isPromiseLogic(logic))
      return `has the actor "${name}", which is neither a promise nor a machine, so its results cannot be recorded`
  }
  return null
}

function* invokedBy(node: AnyStateNode): Generator<string> {
  for (const { src } of node.invoke) yield String(src)
  for (const inner of Object.values(node.states)) yield* invokedBy(inner)
}

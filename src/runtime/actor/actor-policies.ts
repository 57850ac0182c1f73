import type { AnyActorRef } from "xstate"
import type { EmittedEvent, RunResult } from "../../machines/contract/run-event.js"
import { PolicyGate } from "../policies/policy-gate.js"
import { stopMachines } from "./actor-tree.js"
import type { ActorWithParent, MachineBinding } from "./machine-binding.js"
import { rootOf } from "./machine-binding.js"

/**
 * Returns the `PolicyGate` that checks the events of the run to which `actor` belongs, or null if
 * no policies are configured. Creates the gate on the first call for a run.
 */
export function gateOf(actor: ActorWithParent, binding: MachineBinding): PolicyGate | null {
  const { policies, gates, program } = binding
  if (policies === null) return null
  const root = rootOf(actor, binding)
  const known = gates.get(root)
  if (known !== undefined) return known
  const { chart } = program
  const gate = new PolicyGate(chart, policies)
  gate.follow({
    type: "run.started",
    prompt: null,
    chart: chart.fingerprint,
    agent: chart.id,
    path: "",
    branch: null,
  })
  gates.set(root, gate)
  return gate
}

/**
 * Stops all actors of a run after the current macrostep if a policy has ended the run. Otherwise
 * does nothing. `root` is the root actor of the run.
 */
export function stopHalted(root: ActorWithParent, binding: MachineBinding): void {
  const end = gateOf(root, binding)?.end
  if (end === null || end === undefined) return
  queueMicrotask(() =>
    // The cast is safe: the root actor of a run always executes a state machine.
    stopMachines(root as AnyActorRef, binding, binding.clock.now(), "limit", end.error),
  )
}

/**
 * Returns the final result of a run. If a policy has ended the run, `status` and `error` come from
 * the policy. Calls `report` with a `policy.violated` event for each policy that the end of the run
 * violates.
 */
export function judgedResult(
  result: RunResult,
  gate: PolicyGate | null,
  report: (event: EmittedEvent) => void,
): RunResult {
  if (gate === null) return result
  const ended = gate.end === null ? result : { ...result, ...gate.end }
  const { agent, path, branch } = { agent: "", path: "", branch: null }
  for (const event of gate.violationsOf({
    type: "run.finished",
    result: ended,
    agent,
    path,
    branch,
  }))
    report(event)
  return ended
}

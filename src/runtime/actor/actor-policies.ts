import type { AnyActorRef } from "xstate"
import type { EmittedEvent, RunResult } from "../../machines/contract/run-event.js"
import { PolicyGate } from "../policies/policy-gate.js"
import { stopMachines } from "./actor-tree.js"
import type { ActorWithParent, Embedding } from "./embedding.js"
import { rootOf } from "./embedding.js"

/** Returns the gate of the run of an actor, or null if the run has no policies. */
export function gateOf(actor: ActorWithParent, embedding: Embedding): PolicyGate | null {
  const { policies, gates, program } = embedding
  if (policies === null) return null
  const root = rootOf(actor, embedding)
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

/** Ends a run that a policy does not allow to go on, after the current macrostep. */
export function stopHalted(root: ActorWithParent, embedding: Embedding): void {
  const end = gateOf(root, embedding)?.end
  if (end === null || end === undefined) return
  queueMicrotask(() =>
    // The root of a run is an actor with a machine.
    stopMachines(root as AnyActorRef, embedding, embedding.clock.now(), "limit", end.error),
  )
}

/** Returns the result of a run with the end that a policy has chosen, and reports violations. */
export function judgedResult(
  result: RunResult,
  gate: PolicyGate | null,
  report: (event: EmittedEvent) => void,
): RunResult {
  if (gate === null) return result
  const ended = gate.end === null ? result : { ...result, ...gate.end }
  const { agent, path, branch } = { agent: "", path: "", branch: null }
  for (const event of gate.foresee({ type: "run.finished", result: ended, agent, path, branch }))
    report(event)
  return ended
}

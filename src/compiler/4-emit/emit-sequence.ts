import type { ChartState, NamedAction } from "../../machines/contract/chart-machine.js"
import type { SequentialAgentNode } from "../2-resolve/agent-node.js"
import { endTransitions } from "./outcomes.js"
import { emitPositions } from "./positions.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { finalTarget, metaOf } from "./state-position.js"

/**
 * Generates the states of a SequentialAgent, one after the other, with a checkpoint action between
 * them (docs/semantics.md#sequences, docs/semantics.md#durability).
 */
export function emitSequence(
  agent: SequentialAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place } = site
  const checkpoint = (completed: number): readonly NamedAction[] => [
    { type: "checkpoint", params: { place, completed } },
  ]
  const last = { target: finalTarget(draft, place, "done"), actions: [] }
  const { initial, states } = emitPositions(site, agent.subAgents, agent.id, checkpoint, last)
  return {
    meta: metaOf(site, agent),
    tags: ["sequence"],
    entry: [{ type: "enterAgent", params: { place } }],
    initial,
    states: { ...states, done: { type: "final" } },
    onDone: endTransitions(site, next, [{ type: "finishAgent", params: { place } }]),
  }
}

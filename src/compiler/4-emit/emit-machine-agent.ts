import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { MachineAgentNode } from "../2-resolve/agent-node.js"
import { leafMachine } from "./emit-leaf.js"
import { exitScopeOf, turnTransitions } from "./outcomes.js"
import { isLeafAgent } from "./region-budget.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"
import { metaOf } from "./state-position.js"

/**
 * Generates the state of a MachineAgent, which runs an XState machine of the user
 * (docs/semantics.md#machine-agents). The state invokes the machine `machineAgent`, whose input
 * contains the states of the user's machine.
 */
export function emitMachineAgent(
  agent: MachineAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place, skips } = site
  const { service, input, outputKey, machine, maxAgentRuns, subAgents } = agent
  const agents = subAgents.map((child, index) => ({
    agent: child.id,
    src: isLeafAgent(child)
      ? leafMachine(child, draft.workflow)
      : draft.subMachine(child, `${place}.${index}.${child.id}`, null, skips),
  }))
  return {
    meta: metaOf(site, agent),
    tags: ["machineAgent"],
    invoke: {
      id: place,
      src: "machineAgent",
      input: {
        place,
        spec: {
          service,
          agents,
          ...withoutNulls({ keys: input, outputKey, machine, maxAgentRuns }),
          ...exitScopeOf(site),
        },
      },
      onDone: turnTransitions(site, next, [], true),
    },
  }
}

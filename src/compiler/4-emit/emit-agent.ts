import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { AgentNode } from "../2-resolve/agent-node.js"
import { emitWithCallbacks } from "./emit-callbacks.js"
import { emitCustom } from "./emit-custom.js"
import { emitGraph } from "./emit-graph.js"
import { emitLeaf } from "./emit-leaf.js"
import { emitLoop } from "./emit-loop.js"
import { emitMachineAgent } from "./emit-machine-agent.js"
import { emitParallel } from "./emit-parallel.js"
import { emitSequence } from "./emit-sequence.js"
import { emitTeam } from "./emit-team.js"
import type { TransitionTarget, StatePosition } from "./state-position.js"

/**
 * Generates the state of an agent of any type, for one of the positions at which the agent runs.
 * `next` is the transition that follows the agent.
 */
export function emitAgent(
  agent: AgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const hooks = "hooks" in agent ? agent.hooks : null
  if (hooks === null) return emitBare(agent, site, next)
  return emitWithCallbacks(agent, hooks, site, next, (inner, after) =>
    emitBare(agent, inner, after),
  )
}

function emitBare(agent: AgentNode, site: StatePosition, next: TransitionTarget): ChartState {
  switch (agent.type) {
    case "LlmAgent":
      return agent.subAgents.length > 0 ? emitTeam(agent, site, next) : emitLeaf(agent, site, next)
    case "HumanAgent":
    case "WorkflowAgent":
    case "WaitAgent":
      return emitLeaf(agent, site, next)
    case "SequentialAgent":
      return emitSequence(agent, site, next)
    case "ParallelAgent":
      return emitParallel(agent, site, next)
    case "MachineAgent":
      return emitMachineAgent(agent, site, next)
    case "CustomAgent":
      return emitCustom(agent, site, next)
    case "LoopAgent":
      return emitLoop(agent, site, next)
    case "Workflow":
      return emitGraph(agent, site, next)
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
    case "JoinNode":
      throw new TypeError(`the node "${agent.id}" is outside a graph`)
  }
}

import type { AgentConfig } from "../1-parse/config/agent-config.js"
import { report } from "../diagnostics/config-location.js"
import type { AgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { subAgentsOf } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { runsHostCode } from "./node-facts.js"

/**
 * Reports a hint for each loop without an exit condition. Such a loop only ends at its maximum
 * number of iterations, unless one of its agents escalates or exits, which the compiler cannot
 * always detect. If the loop also has no maximum, which only the adk dialect allows, reports a
 * warning instead.
 */
export function hintAtEndlessLoops({ workflow, agents }: ResolvedWorkflow): void {
  const exits = agentsThatExit(workflow)
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LoopAgent" || config === undefined) continue
    if (agent.maxIterations === 1) hintAtSingleIteration(config)
    if (agent.maxIterations === 1 || agent.exitCondition !== null || exits.has(agent)) continue
    const { naming } = config.location.parser
    const condition = `"${naming.name("loopExitCondition")}"`
    if (agent.maxIterations === null) {
      report(config.location, {
        code: "endless_loop",
        severity: "warning",
        problem:
          "has no maximum and no exit condition: unless one of its agents escalates or exits, it continues until the run reaches a limit",
        fix: `Add "${naming.name("maxIterations")}" or a ${condition}, or add the tool "exit_loop" to one of its agents.`,
      })
    } else {
      report(config.location, {
        code: "no_exit_but_maximum",
        severity: "hint",
        problem:
          "has no exit condition: unless one of its agents escalates or exits, it always runs to its maximum",
        fix: `Add a ${condition}, or ignore this hint if an agent ends the loop.`,
      })
    }
  }
}

const hintAtSingleIteration = ({ location }: AgentConfig): null =>
  report(location, {
    code: "no_exit_but_maximum",
    severity: "hint",
    problem: "never repeats its agents: its maximum is 1 iteration",
    fix: "Increase the maximum number of iterations, or use a SequentialAgent instead of a loop.",
  })

/**
 * Returns the agents that may end a loop, and all agents that contain them. An agent may end a loop
 * if it has the tool `exit_loop` or runs host functions. An agent that runs as a tool can only end
 * its own run, not the loop.
 */
function agentsThatExit({ agents, tools }: WorkflowTree): ReadonlySet<AgentNode> {
  const exits = new Set<AgentNode>()
  const seen = new Set<AgentNode>()
  const visit = (agent: AgentNode) => {
    if (seen.has(agent)) return
    seen.add(agent)
    const children = subAgentsOf(agent)
    children.forEach(visit)
    const own =
      agent.type === "LlmAgent" && agent.tools.some((id) => tools.get(id)?.type === "ExitLoopTool")
    if (own || runsHostCode(agent, tools) || children.some((child) => exits.has(child)))
      exits.add(agent)
  }
  for (const agent of agents.values()) visit(agent)
  return exits
}

import { report } from "../1-parse/place.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/**
 * A loop without an exit condition ends only at its maximum, unless an agent in it escalates or exits when it runs,
 * which no config shows. So this is the lowest severity.
 */
export function hintAtEndlessLoops({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    if (agent.type !== "LoopAgent" || agent.exitCondition !== null || agent.maxIterations === 1) continue
    const config = agents.get(agent.id)
    if (config === undefined) continue
    report(config.at, {
      code: "no_exit_but_maximum",
      severity: "hint",
      says: "has no condition to end by: unless one of its agents escalates or exits, it always runs to its maximum",
      cure: `Add a "${config.at.reading.naming.name("loopExitCondition")}", or ignore this where an agent ends the loop.`,
    })
  }
}

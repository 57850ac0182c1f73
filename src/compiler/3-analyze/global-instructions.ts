import { report } from "../diagnostics/config-location.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/**
 * Reports a warning for each global instruction of an agent that is not the root. As in ADK, only
 * the root's global instruction has an effect.
 */
export function warnOfGlobalInstructions({ workflow, agents }: ResolvedWorkflow): void {
  for (const config of agents.values()) {
    if (config.type !== "LlmAgent" || config.id === workflow.root.id) continue
    if (config.globalInstruction === null) continue
    report(config.fieldAt("globalInstruction"), {
      code: "no_effect",
      severity: "warning",
      problem: "has no effect: only the global instruction of the root agent is used",
      fix: `Move this text to ${workflow.root.type === "LlmAgent" ? "the root agent" : "the instruction of each agent, because the root is not an LlmAgent"}.`,
      part: "key",
    })
  }
}

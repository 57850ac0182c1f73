import { report } from "../diagnostics/config-location.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/**
 * Reports a warning for each LlmAgent without a model, because only some runners have a default
 * model.
 */
export function warnOfMissingModels({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (
      agent.type !== "LlmAgent" ||
      agent.model !== null ||
      agent.endpoint !== null ||
      config === undefined
    )
      continue
    const location = config.fieldAt("model")
    report(
      { ...location, pointer: config.location.pointer },
      {
        code: "missing_model",
        severity: "warning",
        problem:
          "is missing, and no parent agent has a model: a run cannot start unless its runner has a default model",
        fix: 'Add the name of a model that is registered with the runner, here or on a parent agent. Or set "defaultModel" of the runner, or add "httpConfig".',
      },
    )
  }
}

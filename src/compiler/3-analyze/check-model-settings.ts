import { fieldOf, report } from "../diagnostics/config-location.js"
import { show } from "../diagnostics/show.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/** Reports settings of model calls that have no effect. */
export function checkModelSettings(resolved: ResolvedWorkflow): void {
  checkFallbacks(resolved)
  checkIdleTimeouts(resolved)
}

/** Reports an idle timeout of an agent with its own endpoint, which sends complete responses. */
function checkIdleTimeouts({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || agent.endpoint === null || config === undefined) continue
    if (agent.activity.idleMs === undefined) continue
    const at = config.fieldAt("activity")
    report(fieldOf(at, at.parser.naming.name("idleTimeout")), {
      code: "bad_value",
      says: "has no effect on an agent with its own endpoint, which does not stream its responses",
      fix: 'Use "startToCloseTimeout" instead.',
      part: "key",
    })
  }
}

/**
 * Reports fallback models that can never be useful: the agent's own model, which may be inherited,
 * and fallbacks of an agent with its own endpoint.
 */
function checkFallbacks({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || agent.fallback === null || config === undefined) continue
    const at = config.fieldAt("fallback")
    if (agent.endpoint !== null) {
      report(at, {
        code: "bad_value",
        says: "has no effect on an agent with its own endpoint: only a model by name has fallbacks",
        fix: 'Register the service as a model and set "model" instead of "httpConfig", or remove "fallback".',
        part: "key",
      })
      continue
    }
    agent.fallback.forEach(({ model }, index) => {
      if (model === agent.model)
        report(fieldOf(at, index), {
          code: "bad_value",
          says: `is ${show(model)}, the agent's own model`,
          fix: 'Use another model. To call the same model again, set "retryPolicy" in "activityConfig".',
        })
    })
  }
}

import type { ModelFallback, ModelRoute } from "../../machines/contract/activity.js"
import type { ConfigLocation } from "../diagnostics/config-location.js"
import { fieldOf, report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/** Reports settings of model calls that are invalid or have no effect. */
export function checkModelSettings(resolved: ResolvedWorkflow): void {
  checkOtherModels(resolved)
  checkIdleTimeouts(resolved)
}

/**
 * Reports an error for each agent with an idle timeout and its own HTTP endpoint. The timeout has
 * no effect, because the endpoint does not stream its responses.
 */
function checkIdleTimeouts({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || agent.endpoint === null || config === undefined) continue
    if (agent.activity.idleMs === undefined) continue
    const location = config.fieldAt("activity")
    report(fieldOf(location, location.parser.naming.name("idleTimeout")), {
      code: "bad_value",
      problem:
        "has no effect on an agent with its own endpoint, which does not stream its responses",
      fix: 'Use "startToCloseTimeout" instead.',
      part: "key",
    })
  }
}

/**
 * Reports invalid fallback models and model routes. A model that equals the agent's own (possibly
 * inherited) model is invalid if the agent has no routes. An agent with an endpoint can only have
 * fallback endpoints, and an agent with a model name can only have model names.
 */
function checkOtherModels({ workflow, agents }: ResolvedWorkflow): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || config === undefined) continue
    const own = agent.routes === null ? (agent.endpoint?.url ?? agent.model) : null
    const check = (
      { model, endpoint }: ModelFallback | ModelRoute,
      index: number,
      location: ConfigLocation,
    ): void => {
      if ((endpoint === undefined) !== (agent.endpoint === null))
        report(fieldOf(location, index), {
          code: "bad_value",
          ...(endpoint === undefined
            ? {
                problem: "is a model by name, but the agent has its own endpoint",
                fix: 'Write {"httpConfig": {"url": "https://...", "method": "POST"}}, or register the service of the agent as a model and set "model" instead of "httpConfig".',
              }
            : {
                problem: "is an endpoint, but the agent calls a model by name",
                fix: 'Write the name of a model, or set "httpConfig" instead of "model".',
              }),
        })
      else if (model === own)
        report(fieldOf(location, index), {
          code: "bad_value",
          problem: `is ${describeValue(model)}, the agent's own ${endpoint === undefined ? "model" : "URL"}`,
          fix: `Use another ${endpoint === undefined ? "model" : "URL"}. To call the same ${endpoint === undefined ? "model" : "service"} again, set "retryPolicy" in "activityConfig".`,
        })
    }
    const { fallback, routes } = agent
    fallback?.forEach((one, index) => check(one, index, config.fieldAt("fallback")))
    routes?.forEach((one, index) => check(one, index, config.fieldAt("routes")))
  }
}

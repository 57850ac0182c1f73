import type { FailureClass, ModelFallback, ModelRoute } from "../contract/activity.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import type { CallFailure, HttpEndpoint } from "../contract/services.js"

type WithModels = Pick<
  Extract<AgentDefinition, { type: "LlmAgent" }>,
  "model" | "endpoint" | "fallback" | "routes"
>

type OtherModel = ModelFallback | ModelRoute

const none: readonly never[] = []

/**
 * Returns the fallback models of an agent, followed by the models of its routes. The list does not
 * contain the agent's own model.
 */
export const otherModelsOf = ({
  fallback = none,
  routes = none,
}: WithModels): readonly OtherModel[] => [...fallback, ...routes]

/**
 * Returns the fallback or route with this model index. An agent's models are numbered in the order
 * own model, fallbacks, routes, so the first fallback has the index 1. Returns undefined for the
 * agent's own model, which has the index 0.
 */
const otherAt = (
  { fallback = none, routes = none }: WithModels,
  index: number,
): OtherModel | undefined =>
  index === 0 ? undefined : (fallback[index - 1] ?? routes[index - 1 - fallback.length])

/**
 * Converts an index in `routes` to a model index. An agent's models are numbered in the order own
 * model (0), fallbacks, routes. For example, the first route of an agent with two fallbacks has the
 * model index 3.
 */
export const indexOfRoute = ({ fallback = none }: WithModels, route: number): number =>
  1 + fallback.length + route

/**
 * Returns the indexes of the models to which the first attempt of a call can go. These are the
 * agent's own model (0) and the models of its routes. Fallbacks are only called after a failure.
 */
export const firstModelsOf = (definition: WithModels): readonly number[] => [
  0,
  ...(definition.routes ?? none).map((_, route) => indexOfRoute(definition, route)),
]

/**
 * Returns the names of all registered models that an agent can call. The agent's own model comes
 * first, then its fallbacks, then the models of its routes.
 */
export function modelsOf(definition: AgentDefinition | undefined): readonly string[] {
  if (definition?.type !== "LlmAgent") return []
  const { model } = definition
  const others = otherModelsOf(definition).flatMap((one) =>
    one.endpoint === undefined ? [one.model] : [],
  )
  return model === null ? others : [model, ...others]
}

/**
 * Returns all HTTP endpoints at which an agent can call a model. The agent's own endpoint comes
 * first, then those of its fallbacks and routes.
 */
export const endpointsOf = (definition: WithModels): readonly HttpEndpoint[] => [
  ...(definition.endpoint === null ? [] : [definition.endpoint]),
  ...otherModelsOf(definition).flatMap((one) => one.endpoint ?? []),
]

/**
 * Returns the HTTP endpoint of the model with this index, or null if it is a registered model.
 * Index 0 is the agent's own model. The fallbacks and then the routes follow.
 */
export const endpointAt = (definition: WithModels, index: number): HttpEndpoint | null =>
  index === 0 ? definition.endpoint : (otherAt(definition, index)?.endpoint ?? null)

/**
 * Returns the names that policies use for the models of an agent, in the order of the model
 * indexes. For a registered model, it is the model's name, or `""` if the config does not contain
 * the name. For a model with an endpoint, it is the URL.
 */
export const policyModelsOf = (definition: WithModels): readonly string[] => [
  definition.endpoint?.url ?? definition.model ?? "",
  ...otherModelsOf(definition).map((one) => one.model),
]

/**
 * Returns the name or the URL of the model with this index, also for the agent's own model (index
 * 0). Returns null if the agent uses the default model of the runner. {@link otherModelAt} explains
 * the indexes.
 */
export const modelAt = (definition: WithModels, index: number): string | null =>
  otherModelAt(definition, index) ?? definition.endpoint?.url ?? definition.model

/**
 * Returns the name or the URL of the fallback or route with this index. Returns null for index 0,
 * which is the agent's own model. Index 1 is the first fallback. The routes follow the fallbacks.
 */
export const otherModelAt = (definition: WithModels, index: number): string | null =>
  otherAt(definition, index)?.model ?? null

/**
 * Returns the index of the fallback model that is called after the model `current` has failed. It
 * is the next fallback whose `on` contains the class of the failure. Returns null if there is none.
 * Earlier fallbacks are not called again (docs/semantics.md#fallback-models).
 */
export function nextModel(
  definition: WithModels | undefined,
  current: number,
  failure: CallFailure,
): number | null {
  if (definition?.fallback === undefined) return null
  const failureClass = failureClassOf(failure)
  return failureClass === null ? null : nextModelFor(definition, current, failureClass)
}

/**
 * Returns the index of the fallback model that is called after the model `current` has failed with
 * this class of failure. Returns null if there is none.
 */
export function nextModelFor(
  definition: WithModels,
  current: number,
  failureClass: FailureClass,
): number | null {
  const { fallback = none } = definition
  const failed = modelAt(definition, current)
  // If the model of a route failed, the search starts at the first fallback.
  const first = current > fallback.length ? 0 : current
  const next = fallback.findIndex(
    ({ model, on }, index) => index >= first && model !== failed && on.includes(failureClass),
  )
  return next === -1 ? null : next + 1
}

/**
 * Returns the class of a failed model call. Returns null if another model cannot help, because the
 * cause is a limit, a policy, a callback or the configuration.
 */
export function failureClassOf({
  code,
  status,
  retryable,
  reason,
}: CallFailure): FailureClass | null {
  if (reason !== undefined) return reason
  switch (code) {
    case "service_timeout":
      return "timeout"
    case "service_unreachable":
    case "connection_lost":
      return "unavailable"
    case "service_answer_malformed":
    case "response_too_large":
      return "malformed"
    case "model_call_failed":
      return status === undefined ? (retryable ? "unavailable" : "refused") : classOfStatus(status)
    default:
      return null
  }
}

function classOfStatus(status: number): FailureClass {
  if (status === 408) return "timeout"
  if (status === 429) return "rate_limited"
  return status >= 500 ? "unavailable" : "refused"
}

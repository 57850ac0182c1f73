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
 * Returns all models of an agent except its main one: its fallbacks, then the models of its routes.
 */
export const otherModelsOf = ({
  fallback = none,
  routes = none,
}: WithModels): readonly OtherModel[] => [...fallback, ...routes]

/**
 * Returns the fallback or the route's model with this model index. Index 0 is the agent's own
 * model, for which the result is undefined. The fallbacks start at index 1, and the models of the
 * routes follow them.
 */
const otherAt = (
  { fallback = none, routes = none }: WithModels,
  index: number,
): OtherModel | undefined =>
  index === 0 ? undefined : (fallback[index - 1] ?? routes[index - 1 - fallback.length])

/**
 * Returns the model index for the route with the index `route`. Model indexes start with the
 * agent's own model (0) and its fallbacks.
 */
export const indexOfRoute = ({ fallback = none }: WithModels, route: number): number =>
  1 + fallback.length + route

/**
 * Returns the indexes of the models that a model call can use first: the agent's own model and the
 * models of its routes. Fallbacks are only called after a failure.
 */
export const firstModelsOf = (definition: WithModels): readonly number[] => [
  0,
  ...(definition.routes ?? none).map((_, route) => indexOfRoute(definition, route)),
]

/**
 * Returns the names of the registered models that an agent can call: its own model, then its
 * fallbacks and the models of its routes.
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
 * Returns the HTTP endpoints that an agent can call: its own endpoint, then those of its other
 * models.
 */
export const endpointsOf = (definition: WithModels): readonly HttpEndpoint[] => [
  ...(definition.endpoint === null ? [] : [definition.endpoint]),
  ...otherModelsOf(definition).flatMap((one) => one.endpoint ?? []),
]

/** Returns the endpoint of the model with this index, or null if it is a registered model. */
export const endpointAt = (definition: WithModels, index: number): HttpEndpoint | null =>
  index === 0 ? definition.endpoint : (otherAt(definition, index)?.endpoint ?? null)

/**
 * Returns the names by which policies refer to an agent's models. The list has the order of the
 * model indexes. A registered model has its name, or "" if the config does not name it. A model
 * with an endpoint has the endpoint's URL.
 */
export const policyModelsOf = (definition: WithModels): readonly string[] => [
  definition.endpoint?.url ?? definition.model ?? "",
  ...otherModelsOf(definition).map((one) => one.model),
]

/**
 * Returns the name or the URL of the model with this index. {@link otherModelAt} explains the
 * indexes.
 */
export const modelAt = (definition: WithModels, index: number): string | null =>
  otherModelAt(definition, index) ?? definition.endpoint?.url ?? definition.model

/**
 * Returns the name or the URL of the model with this index. Index 0 is the agent's own model, for
 * which null is returned. Index 1 is the first fallback. The models of the routes follow.
 */
export const otherModelAt = (definition: WithModels, index: number): string | null =>
  otherAt(definition, index)?.model ?? null

/**
 * Returns the index of the model that is called after the model `current` has failed: the next
 * fallback that handles this kind of failure. Returns null if there is none. Earlier fallbacks are
 * not called again (docs/semantics.md#fallback-models).
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
 * Returns the index of the fallback that is called after the model `current` has failed with this
 * failure class. Returns null if there is none.
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
 * Returns the class of a failed model call. Returns null if another model would not help because
 * the cause is a limit, a policy, a callback or the configuration.
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

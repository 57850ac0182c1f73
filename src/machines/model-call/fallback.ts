import type { FailureClass, ModelFallback } from "../contract/activity.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import type { CallFailure, HttpEndpoint } from "../contract/services.js"

type WithModels = Pick<
  Extract<AgentDefinition, { type: "LlmAgent" }>,
  "model" | "endpoint" | "fallback"
>

/**
 * Returns the names of the registered models that an agent can call: its own model, then its
 * fallbacks.
 */
export function modelsOf(definition: AgentDefinition | undefined): readonly string[] {
  if (definition?.type !== "LlmAgent") return []
  const { model, fallback = [] } = definition
  const others = fallback.flatMap((one) => (one.endpoint === undefined ? [one.model] : []))
  return model === null ? others : [model, ...others]
}

/** Returns the endpoints that an agent can call: its own endpoint, then those of its fallbacks. */
export const endpointsOf = ({ endpoint, fallback = [] }: WithModels): readonly HttpEndpoint[] => [
  ...(endpoint === null ? [] : [endpoint]),
  ...fallback.flatMap((one) => one.endpoint ?? []),
]

/** Returns the endpoint of the model with this index, or null if it is a registered model. */
export const endpointAt = (
  { endpoint, fallback }: WithModels,
  index: number,
): HttpEndpoint | null => (index === 0 ? endpoint : (fallback?.[index - 1]?.endpoint ?? null))

/**
 * Returns the names by which policies refer to the models of an agent: the URL of its endpoint, or
 * the names of its models. The name of a model that the config does not name is "". A fallback with
 * an endpoint is named by its URL.
 */
export const policyModelsOf = ({
  model,
  endpoint,
  fallback = [],
}: WithModels): readonly string[] => [
  endpoint?.url ?? model ?? "",
  ...fallback.map((one) => one.model),
]

/** Returns the name or the URL of the model with this index. See {@link fallbackAt} for the indexes. */
export const modelAt = (definition: WithModels, index: number): string | null =>
  fallbackAt(definition, index) ?? definition.endpoint?.url ?? definition.model

/**
 * Returns the name or the URL of the fallback with this index. Index 0 is the agent's own model, for which null
 * is returned. Index 1 is the first fallback.
 */
export const fallbackAt = ({ fallback }: WithModels, index: number): string | null =>
  index === 0 ? null : (fallback?.[index - 1]?.model ?? null)

/**
 * Returns the index of the model that is called after the model with the index `current` has
 * failed, or null if there is none. This is the next fallback for failures of this class. Earlier
 * fallbacks are not called again (docs/semantics.md#fallback-models).
 */
export function nextModel(
  fallback: readonly ModelFallback[] | undefined,
  current: number,
  failure: CallFailure,
): number | null {
  if (fallback === undefined) return null
  const failureClass = failureClassOf(failure)
  return failureClass === null ? null : nextModelFor(fallback, current, failureClass)
}

/** Returns the index of the model that is called after a failure of this class, or null. */
export function nextModelFor(
  fallback: readonly ModelFallback[],
  current: number,
  failureClass: FailureClass,
): number | null {
  const next = fallback.findIndex(({ on }, index) => index >= current && on.includes(failureClass))
  return next === -1 ? null : next + 1
}

/**
 * Returns the class of a failed model call. null: another model would not help, because the cause
 * is a limit, a policy, a callback or the configuration.
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

import type { ModelFallback, ModelRoute } from "../contract/activity.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import type { HttpEndpoint } from "../contract/services.js"

/**
 * The fields of an LlmAgent that name its models. An agent's models are numbered in the order own
 * model (0), fallbacks, routes.
 */
export type WithModels = Pick<
  Extract<AgentDefinition, { type: "LlmAgent" }>,
  "model" | "endpoint" | "fallback" | "routes"
>

type AlternativeModel = ModelFallback | ModelRoute

const none: readonly never[] = []

/**
 * Returns the fallback models of an agent, followed by the models of its routes. The list does not
 * contain the agent's own model.
 */
export const alternativesOf = ({
  fallback = none,
  routes = none,
}: WithModels): readonly AlternativeModel[] => [...fallback, ...routes]

/**
 * Returns the fallback or route with this model index. An agent's models are numbered in the order
 * own model, fallbacks, routes, so the first fallback has the index 1. Returns undefined for the
 * agent's own model, which has the index 0.
 */
const alternativeAt = (
  { fallback = none, routes = none }: WithModels,
  index: number,
): AlternativeModel | undefined =>
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
  const others = alternativesOf(definition).flatMap((one) =>
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
  ...alternativesOf(definition).flatMap((one) => one.endpoint ?? []),
]

/**
 * Returns the HTTP endpoint of the model with this index, or null if it is a registered model.
 * Index 0 is the agent's own model. The fallbacks and then the routes follow.
 */
export const endpointAt = (definition: WithModels, index: number): HttpEndpoint | null =>
  index === 0 ? definition.endpoint : (alternativeAt(definition, index)?.endpoint ?? null)

/**
 * Returns the names that policies use for the models of an agent, in the order of the model
 * indexes. For a registered model, it is the model's name, or `""` if the config does not contain
 * the name. For a model with an endpoint, it is the URL.
 */
export const policyModelNamesOf = (definition: WithModels): readonly string[] => [
  definition.endpoint?.url ?? definition.model ?? "",
  ...alternativesOf(definition).map((one) => one.model),
]

/**
 * Returns the name or the URL of the model with this index, also for the agent's own model (index
 * 0). Returns null if the agent uses the default model of the runner. {@link alternativeNameAt}
 * explains the indexes.
 */
export const modelNameAt = (definition: WithModels, index: number): string | null =>
  alternativeNameAt(definition, index) ?? definition.endpoint?.url ?? definition.model

/**
 * Returns the name or the URL of the fallback or route with this index. Returns null for index 0,
 * which is the agent's own model. Index 1 is the first fallback. The routes follow the fallbacks.
 */
export const alternativeNameAt = (definition: WithModels, index: number): string | null =>
  alternativeAt(definition, index)?.model ?? null

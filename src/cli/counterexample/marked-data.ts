import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import type { FlowEndpoints } from "../../policies/flow-endpoints.js"
import type { FunctionPermissions } from "../../policies/policy.js"
import { sampleFromSchema } from "../../analysis/worst-case/schema-sample.js"
import { argumentsOf, failures, outputSchemaOf } from "./act-answers.js"
import type { Waiting } from "./directed-services.js"

/**
 * Marker text that replaces the data whose flow a `noFlow` policy restricts. Searching requests for
 * the marker shows where the data flows.
 */
export const marker = "MARK-7f3"

export const isMarked = (value: unknown): boolean => (JSON.stringify(value) ?? "").includes(marker)

/**
 * Returns sample arguments for a tool call. Their text parameters contain {@link marker}, which
 * stands in for restricted data.
 */
export function markedArguments(agent: string, tool: string, chart: AgentChart): JsonObject {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  const declared =
    definition?.type === "LlmAgent"
      ? definition.declarations.find(({ function: { name } }) => name === tool)
      : undefined
  const args = argumentsOf(agent, tool, chart)
  return withMarker(args, declared?.function.parameters ?? {})
}

/**
 * Returns a text response that contains {@link marker} and fits the output schema of an agent. If
 * the schema allows no free text, the response does not contain the marker.
 */
export function markedText(agent: string, chart: AgentChart): string {
  const schema = outputSchemaOf(agent, chart)
  if (schema === null) return marker
  const sample = sampleFromSchema(schema)
  const isFreeText = schema["type"] === "string" && schema["enum"] === undefined
  return JSON.stringify(
    isFreeText ? marker : isJsonObject(sample) ? withMarker(sample, schema) : sample,
  )
}

/**
 * Returns a sample value of an object schema. Its text properties contain {@link marker}, which
 * stands in for restricted data.
 */
function withMarker(
  value: JsonObject,
  { properties, additionalProperties }: JsonObject,
): JsonObject {
  const texts = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([name, schema]) =>
      isJsonObject(schema) && schema["type"] === "string" && schema["enum"] === undefined
        ? [name]
        : [],
  )
  const names = texts.length > 0 ? texts : additionalProperties === false ? [] : ["note"]
  return { ...value, ...Object.fromEntries(names.map((name) => [name, marker])) }
}

export const messagesOf = (request: unknown): readonly { readonly role: string }[] =>
  (request as { readonly messages?: readonly { readonly role: string }[] }).messages ?? []

/** Returns the URL of an agent's model endpoint, or the name of the model if it has no endpoint. */
export const modelOf = (definition: AgentDefinition | undefined): string =>
  definition?.type === "LlmAgent" ? (definition.endpoint?.url ?? definition.model ?? "") : ""

/** Returns the URL of a tool, or an empty string if the tool has no URL. */
export const urlOf = (tool: { readonly type: string } | undefined): string =>
  tool !== undefined && "endpoint" in tool ? String((tool.endpoint as { url: string }).url) : ""

/**
 * Returns a scripted failure after which the agent calls a fallback model. A `noFlow` policy
 * forbids restricted data in calls of this fallback model. Returns null if no such model can follow
 * the current model.
 */
export function failureTowardsSink(
  { agent, model, request }: Pick<Waiting, "agent" | "model" | "request">,
  {
    chart,
    endpoints,
  }: { readonly chart: AgentChart; readonly endpoints: Pick<FlowEndpoints, "isSink"> },
): JsonObject | null {
  const definition = chart.agents[agent]
  if (definition?.type !== "LlmAgent" || !isMarked(request)) return null
  const models = policyModelNamesOf(definition)
  const current = models.indexOf(model ?? modelOf(definition))
  const sink = models.findIndex(
    (name) => endpoints.isSink("model", name) || endpoints.isSink("server", name),
  )
  const { fallback = [] } = definition
  // After the model of a route, all fallbacks are possible.
  const isLater = sink > current || current > fallback.length
  const [failure] = isLater ? (fallback[sink - 1]?.on ?? []) : []
  return failure === undefined ? null : failures[failure]
}

/**
 * Returns whether a host function can pass on restricted data. This is possible if the policy file
 * allows it and the data that the function reads contains {@link marker}.
 */
export const passesOn = (
  { mayRead, passes }: FunctionPermissions,
  { request }: Waiting,
): boolean => {
  if (!passes) return false
  const { input, state } = request as { readonly input?: unknown; readonly state?: JsonObject }
  return isMarked(input) || mayRead.some((key) => isMarked(state?.[key]))
}
/**
 * Returns the prompt and state of a run. {@link marker} replaces the values that are sources of a
 * `noFlow` policy.
 */
export const markedInput = (
  { isSource, sourceKeys }: FlowEndpoints,
  state: JsonObject,
  prompt: string,
): { readonly state: JsonObject; readonly prompt: string } => ({
  state: {
    ...state,
    ...Object.fromEntries(sourceKeys.map((key) => [key.replaceAll("*", "x"), marker])),
  },
  prompt: isSource("prompt", "user") ? marker : prompt,
})

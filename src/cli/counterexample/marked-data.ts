import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { argumentsOf } from "./act-answers.js"

/**
 * The text that replaces the protected data of a `noFlow` policy, so that the data can be found in
 * requests.
 */
export const marker = "MARK-7f3"

export const isMarked = (value: unknown): boolean => (JSON.stringify(value) ?? "").includes(marker)

/**
 * Returns sample arguments of a tool with the marker in a text parameter, if its schema has one.
 */
export function markedArguments(agent: string, tool: string, chart: AgentChart): JsonObject {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  const declared =
    definition?.type === "LlmAgent"
      ? definition.declarations.find(({ function: { name } }) => name === tool)
      : undefined
  const { properties, additionalProperties } = declared?.function.parameters ?? {}
  const args = argumentsOf(agent, tool, chart)
  const texts = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(
    ([name, schema]) =>
      isJsonObject(schema) && schema["type"] === "string" && schema["enum"] === undefined
        ? [name]
        : [],
  )
  const names = texts.length > 0 ? texts : additionalProperties === false ? [] : ["note"]
  return { ...args, ...Object.fromEntries(names.map((name) => [name, marker])) }
}

export const messagesOf = (request: unknown): readonly { readonly role: string }[] =>
  (request as { readonly messages?: readonly { readonly role: string }[] }).messages ?? []

/** Returns the URL of an agent's model, or the name of the model if it has no URL. */
export const modelOf = (definition: AgentDefinition | undefined): string =>
  definition?.type === "LlmAgent" ? (definition.endpoint?.url ?? definition.model ?? "") : ""

/** Returns the URL of a tool, or an empty text if the tool has no URL. */
export const urlOf = (tool: { readonly type: string } | undefined): string =>
  tool !== undefined && "endpoint" in tool ? String((tool.endpoint as { url: string }).url) : ""

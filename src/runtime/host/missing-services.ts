import type { AgentChart, ChartServiceUse } from "../../machines/contract/agent-chart.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { HostService } from "./host-service.js"
import { isToolset } from "./host-service.js"
import type { CallServices } from "./call-services.js"
import { modelServiceFor } from "./start-call.js"

/** Describes the kind of a registered service for error messages. */
const formOf = (service: HostService): string =>
  !isJsonObject(service)
    ? `${JSON.stringify(service)}, which is not a service`
    : isToolset(service)
      ? "a toolset"
      : "a plugin"

/** Returns whether a service can be used as `kind`. A function can be used as every kind. */
const serves = (service: HostService, kind: ChartServiceUse["kind"]): boolean =>
  typeof service === "function" ||
  (isJsonObject(service) && (isToolset(service) ? kind === "toolset" : kind === "plugin"))

/**
 * Returns an error that lists the services that a chart needs and that are not registered. Returns
 * null if none are missing. A run with a missing service fails before its first call
 * (docs/semantics.md#failures).
 */
export function missingServices(chart: AgentChart, services: CallServices): RunError | null {
  const missing: string[] = []
  for (const [id, agent] of Object.entries(chart.agents)) {
    if (agent.type !== "LlmAgent" || modelServiceFor(agent, services) !== null) continue
    missing.push(
      agent.endpoint !== null
        ? `agent "${id}" needs an HTTP service`
        : agent.model !== null
          ? `agent "${id}" needs the model "${agent.model}"`
          : services.defaultModel === undefined
            ? `agent "${id}" needs a model: add "model" to the config, or set "defaultModel" of the runner`
            : `agent "${id}" needs the default model "${services.defaultModel}", which is not registered in "models" of the runner`,
    )
  }
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (
      tool.type !== "HttpTool" ||
      services.http !== undefined ||
      Object.hasOwn(services.tools ?? {}, id)
    )
      continue
    missing.push(`tool "${id}" needs an HTTP service`)
  }
  for (const [name, { also = [], ...first }] of Object.entries(chart.services ?? {})) {
    const service = Object.hasOwn(services.services ?? {}, name)
      ? services.services?.[name]
      : undefined
    if (service === undefined) missing.push(`agent "${first.usedBy}" needs the service "${name}"`)
    else
      for (const { kind, usedBy } of [first, ...also])
        if (!serves(service, kind))
          missing.push(
            `agent "${usedBy}" needs "${name}" as a ${kind}, but the service registered under this name is ${formOf(service)}`,
          )
  }
  if (services.priceOf === undefined) missing.push(...costBudgets(chart))
  if (missing.length === 0) return null
  return {
    code: "service_missing",
    agent: null,
    message: `services are missing: ${missing.join("; ")}`,
  }
}

/**
 * Describes all budgets that have `maxCost`. Such a budget needs `priceOf`, because the cost of
 * calls is otherwise unknown.
 */
function costBudgets({ settings, agents }: AgentChart): readonly string[] {
  const owners = Object.entries(agents).flatMap(([id, agent]) =>
    agent.type === "LlmAgent" && agent.budget?.maxCost !== undefined
      ? [`the budget of agent "${id}"`]
      : [],
  )
  if (settings.budget?.maxCost !== undefined) owners.unshift("the budget of the workflow")
  return owners.map((owner) => `${owner} has "maxCost" and needs "priceOf"`)
}

import type { AgentChart, ChartServiceUse } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import { alternativesOf } from "../../machines/model-call/agent-models.js"
import { chartsWithCalls, workflowNamed } from "../../machines/workflow-agent/called-charts.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { createSuggest } from "../../machines/data/suggest.js"
import type { RunError } from "../../machines/contract/run-event.js"
import type { HostService } from "./host-service.js"
import { isToolset } from "./host-service.js"
import type { CallServices } from "./call-services.js"
import { isStateMachine, machineServiceOf } from "./user-machine/machine-service.js"
import { modelServiceFor } from "./call-services.js"

/**
 * Returns a phrase for error messages that describes a registered service, for example `a toolset`
 * or `an XState machine`.
 */
const formOf = (service: HostService): string =>
  typeof service === "function"
    ? "a function"
    : !isJsonObject(service)
      ? `${JSON.stringify(service)}, which is not a service`
      : isToolset(service)
        ? "a toolset"
        : machineServiceOf(service) !== null
          ? "an XState machine"
          : "machine" in service && isStateMachine(service.machine)
            ? "an XState machine whose `input` is not a function"
            : "a plugin"

/**
 * Returns true if a registered service can be used where the chart needs a service of this kind. A
 * function can be used for every kind except `machine`.
 */
function serves(service: HostService, kind: ChartServiceUse["kind"]): boolean {
  if (machineServiceOf(service) !== null) return kind === "machine"
  if (typeof service === "function") return kind !== "machine"
  return isJsonObject(service) && (isToolset(service) ? kind === "toolset" : kind === "plugin")
}

/**
 * Checks whether all services that a chart needs are registered. Returns an error that lists the
 * missing services, or null if none is missing. A run with a missing service fails before its first
 * call (docs/semantics.md#failures).
 */
export function missingServices(chart: AgentChart, services: CallServices): RunError | null {
  const { missing, register } = findMissing(chart, services)
  if (missing.length === 0) return null
  return {
    code: "service_missing",
    agent: null,
    message: `services are missing: ${missing.join("; ")}${howToRegister(register)}`,
  }
}

/**
 * Returns a description of each service that a chart needs and that is not registered, for example
 * `agent "writer" needs the model "large"`.
 */
export const missingServiceList = (chart: AgentChart, services: CallServices): readonly string[] =>
  findMissing(chart, services).missing

function findMissing(
  chart: AgentChart,
  services: CallServices,
): { readonly missing: readonly string[]; readonly register: Registrations } {
  const register: Registrations = {
    models: new Set(),
    services: new Set(),
    workflows: new Set(),
    http: false,
  }
  const missing = chartsWithCalls(chart, services.workflows).flatMap((each) =>
    missingIn(each, services, register),
  )
  if (taskGraphOf(chart) !== null && services.http?.node === undefined) {
    missing.push("the nodes of the graph need an HTTP service with `node`")
    register.http = true
  }
  return { missing, register }
}

/**
 * Returns a description of each service that one chart needs and that is not registered. Also adds
 * the names of these services to the output parameter `register`.
 */
function missingIn(
  chart: AgentChart,
  services: CallServices,
  register: Registrations,
): readonly string[] {
  const missing: string[] = []
  const meant = suggestions()
  for (const [id, agent] of Object.entries(chart.agents)) {
    if (agent.type === "WorkflowAgent" && agent.remote !== undefined) {
      if (services.http?.agent !== undefined) continue
      register.http = true
      missing.push(
        `agent "${id}" needs an HTTP service with \`agent\` for remote agents, which cassettes do not have`,
      )
    } else if (
      agent.type === "WorkflowAgent" &&
      workflowNamed(agent.workflow, [chart.workflows, services.workflows]) === undefined
    ) {
      register.workflows.add(agent.workflow)
      missing.push(
        `agent "${id}" needs the workflow "${agent.workflow}"${meant(agent.workflow, services.workflows)}`,
      )
    }
    if (agent.type !== "LlmAgent") continue
    for (const [index, { model, endpoint = null }] of alternativesOf(agent).entries()) {
      // If the other models of an agent have endpoints, the agent has its own endpoint too, which
      // is checked below.
      if (endpoint !== null || modelServiceFor({ model, endpoint }, services) !== null) continue
      register.models.add(model)
      missing.push(
        `agent "${id}" needs the ${index < (agent.fallback?.length ?? 0) ? "fallback model" : "model"} "${model}"${meant(model, services.models)}`,
      )
    }
    if (modelServiceFor(agent, services) !== null) continue
    if (agent.endpoint !== null) register.http = true
    else register.models.add(agent.model ?? services.defaultModel ?? "NAME")
    missing.push(
      agent.endpoint !== null
        ? `agent "${id}" needs an HTTP service`
        : agent.model !== null
          ? `agent "${id}" needs the model "${agent.model}"${meant(agent.model, services.models)}`
          : services.defaultModel === undefined
            ? `agent "${id}" needs a model: add "model" to the config, or set "defaultModel" of the runner`
            : `agent "${id}" needs the default model "${services.defaultModel}", which is not registered in "models" of the runner${meant(services.defaultModel, services.models)}`,
    )
  }
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (
      tool.type !== "HttpTool" ||
      services.http !== undefined ||
      Object.hasOwn(services.tools ?? {}, id)
    )
      continue
    register.http = true
    missing.push(`tool "${id}" needs an HTTP service`)
  }
  for (const [name, { also = [], ...first }] of Object.entries(chart.services ?? {})) {
    const service = Object.hasOwn(services.services ?? {}, name)
      ? services.services?.[name]
      : undefined
    if (service === undefined) {
      register.services.add(name)
      missing.push(
        `agent "${first.usedBy}" needs the service "${name}"${meant(name, services.services)}`,
      )
    } else
      for (const { kind, usedBy } of [first, ...also])
        if (!serves(service, kind))
          missing.push(
            `agent "${usedBy}" needs "${name}" as a ${kind}, but the service registered under this name is ${formOf(service)}`,
          )
  }
  if (services.priceOf === undefined) missing.push(...costBudgets(chart))
  return missing
}

/**
 * Creates a function that suggests a similar registered name, such as ` (did you mean "large"?)`.
 * The function returns an empty string if no registered name is similar.
 */
function suggestions(): (name: string, registered?: Readonly<Record<string, unknown>>) => string {
  const suggest = createSuggest()
  return (name, registered = {}) => {
    const suggested = suggest(name, Object.keys(registered))
    return suggested === null ? "" : ` (did you mean ${JSON.stringify(suggested)}?)`
  }
}

/**
 * Names of the services that are missing, by kind. `http` is true if HTTP services are missing. The
 * code example in the error message is created from these names.
 */
interface Registrations {
  readonly models: Set<string>
  readonly services: Set<string>
  readonly workflows: Set<string>
  http: boolean
}

/** Maximum number of services of each kind in the code example of an error message. */
const exampleNames = 3

/**
 * Returns the part of an error message that shows how to register the missing services, with
 * example code.
 */
function howToRegister({ models, services, workflows, http }: Registrations): string {
  const listed = (names: Set<string>, value: string): string =>
    [...names]
      .slice(0, exampleNames)
      .map((name) => `${JSON.stringify(name)}: ${value}`)
      .concat(names.size > exampleNames ? ["..."] : [])
      .join(", ")
  const options = [
    ...(models.size === 0 ? [] : [`models: { ${listed(models, "openAiModel({ baseUrl })")} }`]),
    ...(workflows.size === 0 ? [] : [`workflows: { ${listed(workflows, "chart")} }`]),
    ...(services.size === 0 ? [] : [`services: { ${listed(services, "async (input) => ...")} }`]),
  ]
  const register =
    options.length === 0
      ? ""
      : `. Register them in the options of createRunner or toMachine: { ${options.join(", ")} }`
  return `${register}${http ? '. createRunner of "agent-statecharts" includes HTTP services' : ""}`
}

/**
 * Returns a message for each budget with `maxCost`. Such a budget needs the option `priceOf`,
 * because the cost of calls is unknown without it.
 */
function costBudgets({ settings, agents }: AgentChart): readonly string[] {
  const owners = Object.entries(agents).flatMap(([id, agent]) =>
    (agent.type === "LlmAgent" && agent.budget?.maxCost !== undefined) ||
    (agent.type === "WorkflowAgent" && agent.limits?.budget?.maxCost !== undefined)
      ? [`the budget of agent "${id}"`]
      : [],
  )
  if (settings.budget?.maxCost !== undefined) owners.unshift("the budget of the workflow")
  return owners.map((owner) => `${owner} has "maxCost" and needs "priceOf"`)
}

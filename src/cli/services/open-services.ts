import type { HttpServices } from "../../adapters/http/index.js"
import type { Scenario, ScriptedService } from "../../adapters/scripted/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { InMemoryMemoryService } from "../../runtime/host/memory/in-memory-memory-service.js"
import { memoryTools } from "../../runtime/memory/memory-tools.js"
import { usesMemory } from "../../serving/uses-memory.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import type { ServiceOptions } from "../options/service-options.js"
import { readJson } from "../files/read-source.js"
import { loadServices } from "./load-services.js"
import { openModels } from "./open-models.js"
import { readPrices } from "./read-prices.js"
import { withCassette } from "./with-cassette.js"
import { openToolsets } from "./open-toolsets.js"

/** Open services that answer the calls of a run (models, tools and host functions). */
export interface OpenServices {
  readonly calls: CallServices
  readonly scripted: ScriptedService | null
  /**
   * Returns the differences from the replayed cassette, as text. These are unused cassette entries,
   * and calls without an entry.
   */
  problems(): readonly string[]
  close(): Promise<void>
}

/**
 * Prefix of environment variables that workflows can read as secrets. Workflows cannot read other
 * environment variables.
 */
export const secretPrefix = "AGENT_SECRET_"

/** Services to open in addition to those that the command-line options select. */
export interface MoreServices {
  /** Parsed scenario with scripted responses. It replaces the file of the option `--scripted`. */
  readonly scenario?: Scenario
  /**
   * Names of models that must be available in addition to the models of the chart, for example
   * judge models.
   */
  readonly models?: readonly string[]
  /**
   * Workflows that the chart can call by name, in addition to the workflows of the `--services`
   * module.
   */
  readonly workflows?: Readonly<Record<string, AgentChart>>
  /**
   * Whether the runner has a long-term memory. Without one, the memory tools of the chart find
   * nothing. Default: false.
   */
  readonly hasMemory?: boolean
  /**
   * Version of the `--services` module, for example its modification time. If it changes, the
   * module is loaded again.
   */
  readonly copy?: string
}

/** Opens the models, tools and host functions that the command-line options select. */
export async function openServices(
  chart: AgentChart,
  {
    scripted,
    secrets,
    allowTemplateHosts,
    allowHost,
    allowPrivateAddresses,
    maxResponseBytes,
    services,
    openai,
    allowProcesses = false,
    record,
    cassette,
    prices,
  }: ServiceOptions,
  {
    scenario,
    models: otherModels = [],
    workflows: served = {},
    hasMemory = false,
    copy,
  }: MoreServices = {},
): Promise<OpenServices> {
  const own = services === undefined ? {} : await loadServices(services, copy)
  const workflows = { ...served, ...own.workflows }
  const charts = chartsWithCalls(chart, workflows)
  const priceOf = prices === undefined ? own.priceOf : await readPrices(prices, chart)
  const { createHttpServices, secretsFromEnvironment, secretsFromFile } =
    await import("../../adapters/http/index.js")
  const store =
    secrets === undefined
      ? secretsFromEnvironment({ prefix: secretPrefix })
      : secretsFromFile(secrets)
  const toolsets = await openToolsets(charts, {
    allowStdio: allowProcesses,
    registered: Object.keys(own.services ?? {}),
    secrets: store,
  })
  const script = await openScripted(scenario ?? scripted)
  const service = script?.service ?? null
  const http = createHttpServices({
    secrets: store,
    ...(service !== null && { dispatcher: service.dispatcher() }),
    ...(allowTemplateHosts !== undefined && { allowTemplateHosts }),
    ...(allowHost !== undefined && { allowedHosts: allowHost }),
    ...(allowPrivateAddresses !== undefined && { allowPrivateAddresses }),
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
  })
  const openedModels = await openModels(
    charts,
    openai === undefined ? {} : { openai },
    process.env,
    otherModels,
  )
  const registered = {
    services: {
      ...(!hasMemory && usesMemory(charts) && memoryTools(new InMemoryMemoryService())),
      ...toolsets?.services,
      ...own.services,
    },
    models: { ...openedModels.models, ...own.models },
    tools: { ...own.tools },
  }
  const {
    services: code,
    models,
    tools,
  } = script === null ? registered : await withScript(charts, script.scenario, http, registered)
  const agent = script === null ? http.agent : await scriptedAgent(http)
  const recorded = await withCassette(
    { http: { ...http, agent }, models, tools },
    { record, cassette },
  )
  return {
    calls: {
      ...own,
      ...recorded.calls,
      services: code,
      ...(Object.keys(workflows).length > 0 && { workflows }),
      ...(priceOf !== undefined && { priceOf }),
      ...(script !== null && { skipWaits: true }),
      // Scripted and recorded responses belong to single calls.
      ...((script !== null || record !== undefined || cassette !== undefined) && {
        responseCache: null,
      }),
    },
    scripted: service,
    problems: recorded.problems,
    async close() {
      await recorded.close()
      await http.close()
      await service?.close()
      await toolsets?.close()
      await openedModels.close()
    },
  }
}

/** Creates a service for remote agents that answers with the responses of a scenario. */
async function scriptedAgent({ model }: HttpServices): Promise<HttpServices["agent"]> {
  const { scriptedAgents } = await import("../../adapters/scripted/index.js")
  return scriptedAgents(model)
}

type Registered = Required<Pick<CallServices, "services" | "models" | "tools">>

/**
 * Returns the registered services with the scripted responses of a scenario. Replaces the
 * registered models, and the registered tools that the scenario names.
 */
async function withScript(
  charts: readonly AgentChart[],
  scenario: Scenario,
  { model, tool }: HttpServices,
  { services, models, tools }: Registered,
): Promise<Registered> {
  const { scriptedModels, scriptedTools } = await import("../../adapters/scripted/index.js")
  return {
    services: charts.reduce(
      (registered, chart) => scriptedTools(chart, scenario, tool, registered),
      services,
    ),
    models: Object.assign(
      { ...models },
      ...charts.map((chart) => scriptedModels(chart, model, models)),
    ) as typeof models,
    tools: Object.fromEntries(Object.entries(tools).filter(([id]) => !scenario.tools.has(id))),
  }
}

/**
 * Starts a service that answers with the responses of a scenario. `source` is the scenario or the
 * path of its file. Returns null if `source` is undefined.
 */
async function openScripted(
  source: string | Scenario | undefined,
): Promise<{ readonly scenario: Scenario; readonly service: ScriptedService } | null> {
  if (source === undefined) return null
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  const scenario =
    typeof source === "string" ? readScenario(await readJson(source, "scenario"), source) : source
  return { scenario, service: await startScriptedService(scenario) }
}

import type { HttpServices } from "../../adapters/http/index.js"
import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import type { HostOptions } from "../host-options.js"
import { readJson } from "../read-source.js"
import { loadServices } from "./load-services.js"
import type { ModelOptions } from "./open-models.js"
import { openModels } from "./open-models.js"
import { readPrices } from "./read-prices.js"
import { withCassette } from "./with-cassette.js"
import { openToolsets } from "./open-toolsets.js"

export interface ServiceOptions extends ModelOptions, HostOptions {
  /** A scenario file: all calls go to a scripted service in this process. */
  readonly scripted?: string
  /** A secrets file, else the environment. */
  readonly secrets?: string
  readonly maxResponseBytes?: number
  /** A module with host code, models and tools by name. */
  readonly services?: string
  /** What models cost. */
  readonly prices?: string
  /** Where calls are recorded, and where they are answered from. */
  readonly record?: string
  readonly cassette?: string
  /** Whether MCP servers may be programs that are started. */
  readonly allowProcesses?: boolean
}

export interface OpenServices {
  readonly calls: CallServices
  readonly scripted: ScriptedService | null
  /** What the cassette that answers has not been asked, and what it has no answer for. */
  problems(): readonly string[]
  close(): Promise<void>
}

/** Secrets in the environment begin with this; no other variable can be reached by a workflow. */
const secretPrefix = "AGENT_SECRET_"

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
): Promise<OpenServices> {
  const own = services === undefined ? {} : await loadServices(services)
  const priceOf = prices === undefined ? own.priceOf : await readPrices(prices, chart)
  const toolsets = await openToolsets(chart, {
    allowStdio: allowProcesses,
    registered: Object.keys(own.services ?? {}),
  })
  const { createHttpServices, secretsFromEnvironment, secretsFromFile } =
    await import("../../adapters/http/index.js")
  const store =
    secrets === undefined
      ? secretsFromEnvironment({ prefix: secretPrefix })
      : secretsFromFile(secrets)
  const service = scripted === undefined ? null : await openScripted(scripted)
  const http = createHttpServices({
    secrets: store,
    ...(service === null ? {} : { dispatcher: service.dispatcher() }),
    ...(allowTemplateHosts === undefined ? {} : { allowTemplateHosts }),
    ...(allowHost === undefined ? {} : { allowedHosts: allowHost }),
    ...(allowPrivateAddresses === undefined ? {} : { allowPrivateAddresses }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  })
  const code = { ...toolsets?.services, ...own.services }
  const reached = await openModels(chart, openai === undefined ? {} : { openai }, process.env)
  const models = {
    ...reached.models,
    ...(service === null ? {} : await playedModels(chart, http)),
    ...own.models,
  }
  const taped = await withCassette({ ...own, http, models }, { record, cassette })
  return {
    calls: {
      ...own,
      ...taped.calls,
      services: code,
      ...(priceOf === undefined ? {} : { priceOf }),
    },
    scripted: service,
    problems: taped.problems,
    async close() {
      await taped.close()
      await http.close()
      await service?.close()
      await toolsets?.close()
      await reached.close()
    },
  }
}

async function playedModels(
  chart: AgentChart,
  { model }: HttpServices,
): Promise<NonNullable<CallServices["models"]>> {
  const { scriptedModels } = await import("../../adapters/scripted/index.js")
  return scriptedModels(chart, model)
}

async function openScripted(file: string): Promise<ScriptedService> {
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  return startScriptedService(readScenario(await readJson(file, "scenario"), file))
}

import type { HttpServices } from "../../adapters/http/index.js"
import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import type { HostService } from "../../runtime/host/host-service.js"
import { readJson } from "../read-source.js"
import { openToolsets } from "./open-toolsets.js"

export interface ServiceOptions {
  /** A scenario file: all calls go to a scripted service in this process. */
  readonly scripted?: string
  /** A secrets file, else the environment. */
  readonly secrets?: string
  readonly allowTemplateHosts?: boolean
  readonly maxResponseBytes?: number
  /** Whether MCP servers may be programs that are started. */
  readonly allowProcesses?: boolean
}

export interface OpenServices {
  readonly http: HttpServices
  readonly scripted: ScriptedService | null
  /** What the chart itself says how to reach: MCP servers. */
  readonly services: Readonly<Record<string, HostService>>
  close(): Promise<void>
}

/** Secrets in the environment begin with this; no other variable can be reached by a workflow. */
const secretPrefix = "AGENT_SECRET_"

export async function openServices(chart: AgentChart, { scripted, secrets, allowTemplateHosts, maxResponseBytes, allowProcesses }: ServiceOptions): Promise<OpenServices> {
  const toolsets = await openToolsets(chart, allowProcesses ?? false)
  const { createHttpServices, secretsFromEnvironment, secretsFromFile } = await import("../../adapters/http/index.js")
  const store = secrets === undefined ? secretsFromEnvironment({ prefix: secretPrefix }) : secretsFromFile(secrets)
  const service = scripted === undefined ? null : await openScripted(scripted)
  const http = createHttpServices({
    secrets: store,
    ...(service === null ? {} : { dispatcher: service.dispatcher() }),
    ...(allowTemplateHosts === undefined ? {} : { allowTemplateHosts }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  })
  return {
    http,
    scripted: service,
    services: toolsets?.services ?? {},
    async close() {
      await http.close()
      await service?.close()
      await toolsets?.close()
    },
  }
}

async function openScripted(file: string): Promise<ScriptedService> {
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  return startScriptedService(readScenario(await readJson(file, "scenario"), file))
}

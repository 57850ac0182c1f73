import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import type { ModelService } from "../../machines/contract.js"
import type { CallServices } from "../../runtime/host/start-call.js"
import { readJson } from "../read-source.js"
import { loadServices } from "./load-services.js"
import { withCassette } from "./with-cassette.js"
import { openToolsets } from "./open-toolsets.js"

export interface ServiceOptions {
  /** A scenario file: all calls go to a scripted service in this process. */
  readonly scripted?: string
  /** A secrets file, else the environment. */
  readonly secrets?: string
  readonly allowTemplateHosts?: boolean
  readonly maxResponseBytes?: number
  /** A module with host code, models and tools by name. */
  readonly services?: string
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
  { scripted, secrets, allowTemplateHosts, maxResponseBytes, services, allowProcesses = false, record, cassette }: ServiceOptions,
): Promise<OpenServices> {
  const own = services === undefined ? {} : await loadServices(services)
  const toolsets = await openToolsets(chart, { allowStdio: allowProcesses, registered: Object.keys(own.services ?? {}) })
  const { createHttpServices, secretsFromEnvironment, secretsFromFile } = await import("../../adapters/http/index.js")
  const store = secrets === undefined ? secretsFromEnvironment({ prefix: secretPrefix }) : secretsFromFile(secrets)
  const service = scripted === undefined ? null : await openScripted(scripted)
  const http = createHttpServices({
    secrets: store,
    ...(service === null ? {} : { dispatcher: service.dispatcher() }),
    ...(allowTemplateHosts === undefined ? {} : { allowTemplateHosts }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  })
  const code = { ...toolsets?.services, ...own.services }
  const taped = await withCassette({ ...own, http, models: { ...(service === null ? {} : scriptedModels(chart, http.model)), ...own.models } }, { record, cassette })
  return {
    calls: { ...own, ...taped.calls, services: code },
    scripted: service,
    problems: taped.problems,
    async close() {
      await taped.close()
      await http.close()
      await service?.close()
      await toolsets?.close()
    },
  }
}

/** A model that agents call by name is played by the script of the agent that calls it. */
function scriptedModels({ agents }: AgentChart, posting: ModelService): Readonly<Record<string, ModelService>> {
  const model: ModelService = {
    call: (request, signal) => posting.call({ ...request, endpoint: { url: `http://llm.test/${request.agent}`, method: "POST" } }, signal),
  }
  const names = Object.values(agents).flatMap((agent) => (agent.type === "LlmAgent" && agent.model !== null ? [agent.model] : []))
  return Object.fromEntries(names.map((name) => [name, model]))
}

async function openScripted(file: string): Promise<ScriptedService> {
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  return startScriptedService(readScenario(await readJson(file, "scenario"), file))
}

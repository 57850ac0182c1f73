import type { HttpServices } from "../../adapters/http/index.js"
import type { ScriptedService } from "../../adapters/scripted/index.js"
import { readJson } from "../read-source.js"

export interface ServiceOptions {
  /** A scenario file: all calls go to a scripted service in this process. */
  readonly scripted?: string
  /** A secrets file, else the environment. */
  readonly secrets?: string
  readonly allowTemplateHosts?: boolean
  readonly maxResponseBytes?: number
}

export interface OpenServices {
  readonly http: HttpServices
  readonly scripted: ScriptedService | null
  close(): Promise<void>
}

/** Secrets in the environment begin with this; no other variable can be reached by a workflow. */
const secretPrefix = "AGENT_SECRET_"

export async function openServices({ scripted, secrets, allowTemplateHosts, maxResponseBytes }: ServiceOptions): Promise<OpenServices> {
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
    async close() {
      await http.close()
      await service?.close()
    },
  }
}

async function openScripted(file: string): Promise<ScriptedService> {
  const { readScenario, startScriptedService } = await import("../../adapters/scripted/index.js")
  return startScriptedService(readScenario(await readJson(file, "scenario"), file))
}

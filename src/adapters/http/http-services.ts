import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { createHttpClient, type HttpClientOptions } from "./client/http-client.js"
import { createHttpModelService, type HttpModelServiceOptions } from "./http-model-service.js"
import { createHttpToolService } from "./http-tool-service.js"

export interface HttpServicesOptions
  extends HttpClientOptions, Omit<HttpModelServiceOptions, "client"> {}

export interface HttpServices {
  readonly model: ModelService
  readonly tool: ToolService
  /** Closes all sockets. Calls in flight fail, so wait until all runs have ended. */
  close(): Promise<void>
}

/**
 * Creates HTTP services for models and tools. They share a connection pool.
 *
 * @example
 * const services = createHttpServices({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const raw = await services.model.call(request, { signal: AbortSignal.timeout(30_000) })
 * await services.close()
 */
export function createHttpServices(options: HttpServicesOptions = {}): HttpServices {
  const client = createHttpClient(options)
  return {
    model: createHttpModelService({ ...options, client }),
    tool: createHttpToolService({ ...options, client }),
    close: () => client.close(),
  }
}

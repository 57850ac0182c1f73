import type { NodeService } from "../../machines/contract/graphs/node-service.js"
import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { refuseArgument } from "../../machines/data/check-arguments.js"
import type { CreateHttpClient, HttpClientOptions } from "./client/http-client.js"
import type { RemoteAgentService } from "../../machines/workflow-agent/remote-task.js"
import { createHttpAgentService } from "./http-agent-service.js"
import { createHttpModelService, type HttpModelServiceOptions } from "./http-model-service.js"
import { createHttpNodeService } from "./http-node-service.js"
import { createHttpToolService } from "./http-tool-service.js"

export interface HttpServicesOptions
  extends HttpClientOptions, Omit<HttpModelServiceOptions, "client"> {}

export interface HttpServices {
  readonly model: ModelService
  readonly tool: ToolService
  readonly node: NodeService
  readonly agent: RemoteAgentService
  /** Closes all sockets. Calls in flight fail, so wait until all runs have ended. */
  close(): Promise<void>
}

/**
 * Returns the function `createHttpServices` for an HTTP client that is based on `fetch` or on Node.
 * The function creates services that use the client from `createClient`.
 */
export const httpServicesWith =
  (createClient: CreateHttpClient) =>
  (options: HttpServicesOptions = {}): HttpServices => {
    checkSecrets(options.secrets)
    const client = createClient(options)
    return {
      model: createHttpModelService({ ...options, client }),
      tool: createHttpToolService({ ...options, client }),
      node: createHttpNodeService({ ...options, client }),
      agent: createHttpAgentService({ ...options, client }),
      close: () => client.close(),
    }
  }

/**
 * Throws if `secrets` has no method `read`, for example because a JavaScript program has passed the
 * secret values themselves. The error message does not quote these values.
 */
function checkSecrets(secrets: unknown): void {
  const isSource =
    typeof secrets === "object" &&
    secrets !== null &&
    "read" in secrets &&
    typeof secrets.read === "function"
  if (secrets !== undefined && !isSource)
    refuseArgument(
      `secrets must be a source of secrets with a method read(name). Pass secretsFromObject({ NAME: "value" }) or secretsFromEnvironment({ prefix: "AGENT_" }) from "agent-statecharts/adapters/http".`,
    )
}

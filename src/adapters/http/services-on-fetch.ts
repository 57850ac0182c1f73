import { createHttpClient } from "./client/fetch-client.js"
import { httpServicesWith } from "./http-services.js"

/**
 * Creates HTTP services for models, tools, graph nodes and remote agents. Requests use `fetch`, so
 * the services also run in browsers and workers.
 *
 * @example
 * const services = createHttpServices({ secrets: secretsFromEnvironment({ prefix: "AGENT_" }) })
 * const raw = await services.model.call(request, { signal: AbortSignal.timeout(30_000) })
 * await services.close()
 */
export const createHttpServices = httpServicesWith(createHttpClient)

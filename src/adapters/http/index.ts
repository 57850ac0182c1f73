/** Creates services that call models and tools over HTTP. */
export type { HttpServiceOptions } from "./endpoint/call-endpoint.js"
export { createHttpClient } from "./client/node-client.js"
export type { HttpCall, HttpClient, HttpClientOptions } from "./client/http-client.js"
export { createHttpModelService, type HttpModelServiceOptions } from "./http-model-service.js"
export type { HttpAnswer, HttpFailure, HttpOutcome } from "./client/http-outcome.js"
export type { HttpServices, HttpServicesOptions } from "./http-services.js"
export { createHttpServices } from "./services-on-node.js"
export { createHttpToolService } from "./http-tool-service.js"
export type { Secrets } from "./secrets/secrets.js"
export {
  secretsFromEnvironment,
  secretsFromFile,
  secretsFromObject,
} from "./secrets/secret-sources.js"

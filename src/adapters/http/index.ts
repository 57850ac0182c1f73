/** Services that call models and tools over HTTP. */
export type { HttpServiceOptions } from "./endpoint/call-endpoint.js"
export {
  createHttpClient,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
} from "./client/http-client.js"
export { createHttpModelService, type HttpModelServiceOptions } from "./http-model-service.js"
export type { HttpAnswer, HttpFailure, HttpOutcome } from "./client/http-outcome.js"
export { createHttpServices, type HttpServices, type HttpServicesOptions } from "./http-services.js"
export { createHttpToolService } from "./http-tool-service.js"
export type { Secrets } from "./secrets/secrets.js"
export {
  secretsFromEnvironment,
  secretsFromFile,
  secretsFromObject,
} from "./secrets/secret-sources.js"

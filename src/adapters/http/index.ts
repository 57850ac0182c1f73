/** Calls models and tools over HTTP. */
export type { HttpServiceOptions } from "./call-endpoint.js"
export {
  createHttpClient,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
} from "./http-client.js"
export { createHttpModelService, type HttpModelServiceOptions } from "./http-model-service.js"
export type { HttpAnswer, HttpFailure, HttpOutcome } from "./http-outcome.js"
export { createHttpServices, type HttpServices, type HttpServicesOptions } from "./http-services.js"
export { createHttpToolService } from "./http-tool-service.js"
export type { Secrets } from "./secrets.js"
export { secretsFromEnvironment, secretsFromFile, secretsFromObject } from "./secret-sources.js"

/** The entry point for browsers and workers. It exports the same names as `index.ts`. */
export { openAiModel } from "./model-on-fetch.js"
export type { OpenAiModel, OpenAiModelOptions } from "./openai-model.js"

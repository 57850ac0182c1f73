/**
 * Model services for all servers that implement OpenAI's chat completions API, for browsers and
 * workers. Exports the same names as `index.ts`.
 */
export { openAiModel } from "./model-on-fetch.js"
export type { OpenAiModel, OpenAiModelOptions } from "./openai-model.js"

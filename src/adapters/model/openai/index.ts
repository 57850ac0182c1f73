/** Model services for all servers that implement OpenAI's chat completions API. */
export { openAiModel } from "./model-on-node.js"
export type { OpenAiModel, OpenAiModelOptions } from "./openai-model.js"

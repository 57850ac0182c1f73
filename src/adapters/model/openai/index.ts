/** Models of servers with OpenAI's chat completions API, which many servers implement. */
export { openAiModel } from "./model-on-node.js"
export type { OpenAiModel, OpenAiModelOptions } from "./openai-model.js"

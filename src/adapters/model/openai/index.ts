/** Models of servers with OpenAI's chat completions API, which many servers implement. */
export { openAiModel, type OpenAiModel, type OpenAiModelOptions } from "./openai-model.js"

/** Calls models over OpenAI's chat completions API, which many servers implement. */
export { openAiModel, type OpenAiModel, type OpenAiModelOptions } from "./openai-model.js"

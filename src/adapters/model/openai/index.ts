/** Models behind the chat completions API of OpenAI, which many servers speak. */
export { openAiModel, type OpenAiModel, type OpenAiModelOptions } from "./openai-model.js"

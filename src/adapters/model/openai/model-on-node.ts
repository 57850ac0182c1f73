import { createHttpClient } from "../../http/client/node-client.js"
import { type OpenAiModel, type OpenAiModelOptions, openAiModelWith } from "./openai-model.js"

/**
 * Creates a model service for servers with the chat completions API, for example OpenAI, Ollama,
 * vLLM and LiteLLM. It supports tools, images, `generateContentConfig` and output schemas. If a
 * program has subscribed to the events of the run, the response is streamed as `model.delta`
 * events.
 *
 * A failed call rejects with `CallFailedError`. The statuses 408, 429 (with `Retry-After`) and 5xx,
 * lost connections, interrupted streams and invalid completions are retryable. Other statuses are
 * not retryable.
 *
 * @example
 * const llama = openAiModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "llama3" })
 * const run = createRunner({ models: { llama } }).start(chart, { prompt: "Hello!" })
 */
export const openAiModel = (options: OpenAiModelOptions = {}): OpenAiModel =>
  openAiModelWith(createHttpClient, options)

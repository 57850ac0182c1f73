import { existsSync } from "node:fs"
import { openAiModel } from "agent-statecharts/adapters/model/openai"

export * from "./services.js"

if (existsSync(".env")) process.loadEnvFile(".env")
const { OLLAMA_BASE_URL = "http://127.0.0.1:11434/v1", MODEL = "llama3.2" } = process.env

/** Models by the name that agents use as their `model`. Ollama implements OpenAI's API. */
export const models = {
  assistant: openAiModel({ baseUrl: OLLAMA_BASE_URL, model: MODEL }),
}

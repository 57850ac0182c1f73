import { existsSync } from "node:fs"
import { openAiModel } from "agent-statecharts/adapters/model/openai"

export * from "./services.js"

if (existsSync(".env")) process.loadEnvFile(".env")
const { OPENAI_API_KEY, OPENAI_BASE_URL, MODEL = "gpt-5-mini" } = process.env
if (!OPENAI_API_KEY)
  throw new Error("OPENAI_API_KEY is not set. Copy .env.example to .env and enter your API key")

/** Models by the name that agents use as their `model`. */
export const models = {
  assistant: openAiModel({
    apiKey: OPENAI_API_KEY,
    baseUrl: OPENAI_BASE_URL || "https://api.openai.com/v1",
    model: MODEL,
  }),
}

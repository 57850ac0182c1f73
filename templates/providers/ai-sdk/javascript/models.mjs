import { existsSync } from "node:fs"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { aiSdkModel } from "agent-statecharts/adapters/model/ai-sdk"

export * from "./services.mjs"

if (existsSync(".env")) process.loadEnvFile(".env")
const { MODEL_API_KEY, MODEL_BASE_URL, MODEL = "gpt-5-mini" } = process.env
if (!MODEL_API_KEY)
  throw new Error("MODEL_API_KEY is not set. Copy .env.example to .env and enter your API key")

const provider = createOpenAICompatible({
  name: "provider",
  apiKey: MODEL_API_KEY,
  baseURL: MODEL_BASE_URL || "https://api.openai.com/v1",
  includeUsage: true,
})

/** Models by the name that agents use as their `model`. */
export const models = { assistant: aiSdkModel(provider(MODEL)) }

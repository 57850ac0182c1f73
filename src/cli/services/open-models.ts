import type { OpenAiModel } from "../../adapters/model/openai/index.js"
import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ServiceOptions } from "../options/service-options.js"

/** Open model services of a run, by the model name that agents use. */
export interface OpenModels {
  readonly models: Readonly<Record<string, OpenAiModel>>
  close(): Promise<void>
}

/** Default URL of an Ollama server. */
const ollama = "http://127.0.0.1:11434/v1"

/**
 * Opens the models that the charts and `others` reference by name, if a model server provides them.
 * If `--openai` is set, its server provides all models. Otherwise, Ollama provides `ollama:NAME`,
 * and OpenAI provides `openai:NAME`.
 */
export async function openModels(
  charts: readonly AgentChart[],
  { openai }: Pick<ServiceOptions, "openai">,
  env: Readonly<Record<string, string | undefined>>,
  others: readonly string[] = [],
): Promise<OpenModels> {
  const names = new Set([
    ...charts.flatMap(({ agents }) => Object.values(agents).flatMap(modelsOf)),
    ...others,
  ])
  const reachable = [...names].flatMap((name) => {
    const baseUrl =
      openai ??
      (name.startsWith("ollama:")
        ? (env["OLLAMA_BASE_URL"] ?? ollama)
        : name.startsWith("openai:")
          ? (env["OPENAI_BASE_URL"] ?? null)
          : undefined)
    return baseUrl === undefined ? [] : [{ name, baseUrl }]
  })
  if (reachable.length === 0) return { models: {}, close: async () => {} }
  const { openAiModel } = await import("../../adapters/model/openai/index.js")
  const apiKey = env["OPENAI_API_KEY"]
  const models = new Map<string | null, OpenAiModel>()
  for (const baseUrl of new Set(reachable.map((model) => model.baseUrl))) {
    models.set(
      baseUrl,
      openAiModel({
        ...(baseUrl !== null && { baseUrl }),
        ...(apiKey !== undefined && baseUrl !== ollama && { apiKey }),
      }),
    )
  }
  return {
    models: Object.fromEntries(
      reachable.flatMap(({ name, baseUrl }) => {
        const model = models.get(baseUrl)
        return model === undefined ? [] : [[name, model] as const]
      }),
    ),
    async close() {
      await Promise.all([...models.values()].map((model) => model.close()))
    },
  }
}

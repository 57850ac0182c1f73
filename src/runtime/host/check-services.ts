import { describeArgument, refuseArgument } from "../../machines/data/check-arguments.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CallServices } from "./call-services.js"
import { isModelLimits } from "./model-limits/model-limit.js"

/**
 * Checks the types of the services that are passed to a runner or to `toMachine`. TypeScript types
 * are not sufficient, because callers may use plain JavaScript.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkServices({
  models,
  tools,
  workflows,
  services,
  http,
  modelLimits,
  responseCache = null,
}: CallServices): void {
  for (const [name, model] of entriesOf(models, "models"))
    if (!canCall(model)) refuseArgument(`${notModel(name, model)} ${modelFix(model)}`)
  for (const [name, tool] of entriesOf(tools, "tools"))
    if (!canCall(tool))
      refuseArgument(
        `tools[${JSON.stringify(name)}] must be a tool service with a method call(request, options), but is ${describeArgument(tool)}. ${typeof tool === "function" ? `Pass { call: async ({ args }) => ... }, or register the function under services.` : "Pass { call: async ({ args }) => ... }."}`,
      )
  for (const [name, chart] of entriesOf(workflows, "workflows"))
    if (!isJsonObject(chart) || chart["formatVersion"] !== 1 || !isJsonObject(chart["machines"]))
      refuseArgument(
        `workflows[${JSON.stringify(name)}] must be a compiled chart, but is ${describeArgument(chart)}. Pass compileOrThrow(config).`,
      )
  entriesOf(services, "services")
  if (modelLimits !== undefined && !isModelLimits(modelLimits))
    refuseArgument(
      `modelLimits must be the result of modelLimits(), but is ${describeArgument(modelLimits)}. Write { modelLimits: modelLimits({ NAME: { maxConcurrent: 8 } }) }, and import modelLimits from "agent-statecharts/runtime".`,
    )
  if (responseCache !== null && !isResponseCache(responseCache))
    refuseArgument(
      `responseCache must be a cache or null, but is ${describeArgument(responseCache)}. Pass for example memoryResponseCache() or sqliteResponseCache("cache.sqlite").`,
    )
  if (http !== undefined && !(isJsonObject(http) && canCall(http.model) && canCall(http.tool)))
    refuseArgument(
      `http must be the result of createHttpServices(), but is ${describeArgument(http)}. Import createHttpServices from "agent-statecharts/adapters/http".`,
    )
}

const isResponseCache = (value: unknown): boolean =>
  isJsonObject(value) && typeof value["read"] === "function" && typeof value["write"] === "function"

const canCall = (service: unknown): boolean =>
  (typeof service === "object" || typeof service === "function") &&
  service !== null &&
  "call" in service &&
  typeof service.call === "function" &&
  // Every JavaScript function has the built-in method `call`, which is not the `call` method of a
  // service.
  service.call !== Function.prototype.call

const notModel = (name: string, model: unknown): string =>
  `models[${JSON.stringify(name)}] must be a model service with a method call(request, options), but is ${isSdkModel(model) ? "a model of the AI SDK" : describeArgument(model)}.`

const modelFix = (model: unknown): string =>
  isSdkModel(model)
    ? 'Wrap it: aiSdkModel(model) from "agent-statecharts/adapters/model/ai-sdk".'
    : 'Create one, for example with openAiModel({ baseUrl, model }) from "agent-statecharts/adapters/model/openai".'

const isSdkModel = (model: unknown): boolean =>
  isJsonObject(model) && typeof model["doGenerate"] === "function"

function entriesOf(list: unknown, option: string): readonly (readonly [string, unknown])[] {
  if (list === undefined) return []
  if (!isJsonObject(list))
    return refuseArgument(
      `${option} must be an object of ${option} by name, but is ${describeArgument(list)}. Write { ${option}: { name: ... } }.`,
    )
  return Object.entries(list)
}

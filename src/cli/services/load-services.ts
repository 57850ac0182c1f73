import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CompileOptions } from "../../compiler/compile.js"
import type { CustomMetrics } from "../../evaluation/index.js"
import type { CallServices } from "../../runtime/host/call-services.js"
import { isModelLimits } from "../../runtime/host/model-limits/model-limit.js"
import { UsageProblem } from "../errors/usage-problem.js"

type ModuleServices = Pick<
  CallServices,
  "services" | "models" | "tools" | "workflows" | "priceOf" | "modelLimits" | "responseCache"
>

const kinds = ["services", "models", "tools", "workflows"] as const

const example = "export const services = { refund: async (context, input) => ({ ok: true }) }"

/**
 * Imports and executes the module of the option `--services`. Returns the services that the module
 * exports by name (host functions, models, tools and called workflows), and its `priceOf`. A module
 * that was already imported is executed again only if `copy` has a new value.
 */
export async function loadServices(file: string, copy?: string): Promise<ModuleServices> {
  const module = await importModule(file, copy)
  const exported = kinds.filter((kind) => module[kind] !== undefined)
  const { priceOf, modelLimits, responseCache } = module
  if (priceOf !== undefined && typeof priceOf !== "function")
    throw new UsageProblem(
      `${file} exports priceOf, but it must be a function. Example: export const priceOf = ({ model, usage }) => usage.outputTokens * 0.00001`,
    )
  if (modelLimits !== undefined && !isModelLimits(modelLimits))
    throw new UsageProblem(
      `${file} exports modelLimits, but it must be the result of modelLimits(). Example: export const modelLimits = limits({ "openai:gpt-5": { maxConcurrent: 8 } }), with import { modelLimits as limits } from "agent-statecharts/runtime"`,
    )
  if (
    exported.length === 0 &&
    modelLimits === undefined &&
    responseCache === undefined &&
    priceOf === undefined &&
    module["metrics"] === undefined
  )
    throw new UsageProblem(
      `${file} exports neither services, models, tools nor workflows. Export the services of the workflow by name, such as: ${example}`,
    )
  const wrong = exported.find((kind) => !isJsonObject(module[kind]))
  if (wrong !== undefined)
    throw new UsageProblem(
      `${file} exports ${wrong}, but it must be an object with a service for each name. Example: ${example}`,
    )
  // The runtime validates each service when it is called.
  return {
    ...Object.fromEntries(exported.map((kind) => [kind, module[kind]])),
    ...(modelLimits !== undefined && { modelLimits }),
    // The runner validates the cache.
    ...(responseCache !== undefined && { responseCache }),
    ...(priceOf !== undefined && { priceOf }),
  } as ModuleServices
}

/**
 * Imports the export `declarations` of the `--services` module. It describes the services for the
 * compiler (schemas, tool parameters, and routes of routers). Returns undefined if the module has
 * no such export.
 */
export async function loadDeclarations(file: string): Promise<CompileOptions["services"]> {
  const { declarations } = await importModule(file)
  if (declarations === undefined) return undefined
  if (!Array.isArray(declarations))
    throw new UsageProblem(
      `${file} exports declarations, but it must be a list. Example: export const declarations = [{ name: "refund", kind: "tool", parameters: {...} }]`,
    )
  // The compiler validates them like the config.
  return declarations as NonNullable<CompileOptions["services"]>
}

/**
 * Imports the custom metric functions that the `--services` module exports as `metrics`. Returns an
 * empty object if the module has no such export.
 */
export async function loadMetrics(file: string): Promise<CustomMetrics> {
  const { metrics } = await importModule(file)
  if (metrics === undefined) return {}
  if (!isJsonObject(metrics) || !Object.values(metrics).every((one) => typeof one === "function"))
    throw new UsageProblem(
      `${file} exports metrics, but it must be an object with a function for each name. Example: export const metrics = { short: ({ invocations }) => ({ score: 1 }) }`,
    )
  // The values are functions, and their results are checked.
  return metrics as CustomMetrics
}

/**
 * Imports the module of the option `--services`, which executes it. Throws a usage error if the
 * file does not exist.
 */
export async function importModule(
  file: string,
  copy?: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file))
    throw new UsageProblem(
      `the module ${file} does not exist: there is no file ${resolve(file)}. Check the path of --services.`,
    )
  try {
    const url = pathToFileURL(resolve(file))
    if (copy !== undefined) url.searchParams.set("copy", copy)
    return (await import(url.href)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw new UsageProblem(
      `${file} cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

import { createHash } from "node:crypto"
import { AgentStatechartsError } from "../../errors.js"
import type { CertifyOptions } from "../../faults/certify.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { isJsonObject, type JsonObject } from "../../machines/data/json-object.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { PolicySet } from "../../policies/policy.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { parseJson, readSource } from "../files/read-source.js"
import type { FaultsOptions } from "../options/faults-options.js"
import {
  acceptsMessage,
  expiringRequest,
  messageOf,
  readAnswers,
} from "../answers/answer-script.js"
import { loadServices } from "../services/load-services.js"
import { secretPrefix } from "../services/open-services.js"
import { openToolsets } from "../services/open-toolsets.js"
import { readCallPrices } from "../services/read-call-prices.js"
import { readPrices } from "../services/read-prices.js"

/** Workflow that the command `faults` tests, with its input, command-line options and policies. */
export interface CertifiedWorkflow {
  readonly file: string
  readonly chart: AgentChart
  readonly input: RunInput
  readonly options: FaultsOptions
  readonly policies: readonly PolicySet[]
}

/**
 * Opens the files and services of a workflow, calls `use` with the options for `certify`, and
 * closes the services afterwards.
 */
export async function withCertifyOptions<Result>(
  { chart, input, options, policies }: CertifiedWorkflow,
  use: (certifyOptions: CertifyOptions, scenarioHash: string | null) => Promise<Result>,
): Promise<Result> {
  const scenario = await readScenarioFile(options.scripted)
  const answers = options.answers === undefined ? [] : await readAnswers(options.answers)
  const { services } = options
  const own = services === undefined ? {} : await loadServices(services)
  const toolsets = await openToolsets([chart], {
    allowStdio: options.allowProcesses ?? false,
    registered: Object.keys(own.services ?? {}),
  })
  const priceOf =
    options.prices === undefined ? own.priceOf : await readPrices(options.prices, chart)
  try {
    const certifyOptions: CertifyOptions = {
      chart,
      input,
      scenario: scenario.json,
      people: answers.map((answer) => ({
        message: (run) =>
          "expire" in answer
            ? { type: "expire", until: expiringRequest(answer, run).expiresAt }
            : messageOf(answer, run),
        isForIdleRun: acceptsMessage(answer),
        isUnaddressed: "user" in answer && answer.id === undefined,
      })),
      answers,
      async load() {
        // A process that dies loses the memory of its modules, so the module is executed again.
        const module = services === undefined ? {} : await loadServices(services, randomIds.next())
        return {
          ...module,
          services: { ...toolsets?.services, ...module.services },
          ...(priceOf !== undefined && { priceOf }),
        }
      },
      http: await httpOptions(options),
      policies,
      ...(options.prices !== undefined && { policyPrices: await readCallPrices(options.prices) }),
      most: options.most,
      ...(options.kinds !== undefined && { kinds: options.kinds }),
      ...(options.only !== undefined && { only: options.only }),
    }
    return await use(certifyOptions, scenario.hash)
  } catch (error) {
    if (error instanceof AgentStatechartsError && error.code === "service_missing")
      throw new UsageProblem(`${error.message}. Pass a module with --services.`)
    throw error
  } finally {
    await toolsets?.close()
  }
}

async function readScenarioFile(
  file: string | undefined,
): Promise<{ readonly json: JsonObject; readonly hash: string | null }> {
  if (file === undefined) return { json: {}, hash: null }
  const { text, name } = await readSource(file)
  const json = parseJson(text, `the scenario ${name}`)
  if (!isJsonObject(json))
    throw new UsageProblem(`the scenario ${name} must be a JSON object such as {"llm": {...}}.`)
  return { json, hash: sha256(text) }
}

export const sha256 = (text: string): string =>
  `sha256:${createHash("sha256").update(text).digest("hex")}`

async function httpOptions({
  secrets,
  allowTemplateHosts,
  allowHost,
  allowPrivateAddresses,
  maxResponseBytes,
}: FaultsOptions): Promise<NonNullable<CertifyOptions["http"]>> {
  const { secretsFromEnvironment, secretsFromFile } = await import("../../adapters/http/index.js")
  return {
    secrets:
      secrets === undefined
        ? secretsFromEnvironment({ prefix: secretPrefix })
        : secretsFromFile(secrets),
    ...(allowTemplateHosts !== undefined && { allowTemplateHosts }),
    ...(allowHost !== undefined && { allowedHosts: allowHost }),
    ...(allowPrivateAddresses !== undefined && { allowPrivateAddresses }),
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
  }
}

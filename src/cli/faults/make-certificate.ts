import { createHash } from "node:crypto"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError } from "../../errors.js"
import { certify, type CertifyOptions, playStoredRun } from "../../faults/certify.js"
import type { FaultRun } from "../../faults/check/fault-run.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { isJsonObject, type JsonObject } from "../../machines/data/json-object.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import type { PolicySet } from "../../policies/policy.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { parseJson, readSource } from "../files/read-source.js"
import type { FaultsOptions } from "../options/faults-options.js"
import { acceptsMessage, expiringRequest, messageOf, readAnswers } from "../run/answer-script.js"
import { loadServices } from "../services/load-services.js"
import { secretPrefix } from "../services/open-services.js"
import { openToolsets } from "../services/open-toolsets.js"
import { readCallPrices } from "../services/read-call-prices.js"
import { readPrices } from "../services/read-prices.js"
import { commandName } from "../terminal/command-name.js"
import { shellWord } from "../terminal/untrusted-text.js"
import type { FaultCertificate } from "./certificate.js"
import { type KilledRun, killedInProcess, openStoredProcess } from "./processes.js"

/** The workflow of a certificate. */
export interface CertifiedWorkflow {
  readonly file: string
  readonly chart: AgentChart
  readonly input: RunInput
  readonly options: FaultsOptions
  readonly policies: readonly PolicySet[]
}

/** Injects the faults and returns the certificate. `onProgress` returns whether to continue. */
export const makeCertificate = (
  workflow: CertifiedWorkflow,
  onProgress: (done: number, total: number) => boolean,
): Promise<FaultCertificate> =>
  withCertifyOptions(workflow, async (certifyOptions, scenarioHash) => {
    const { file, chart, options, policies } = workflow
    const report = await certify({
      ...certifyOptions,
      onProgress,
      ...(options.processes === true
        ? { killInProcess: (fault) => killedInProcess(file, options, fault) }
        : {}),
    })
    const command = commandOf(file, options)
    const { ok, findings, ...rest } = report
    return {
      certificate: 1,
      ok,
      of: {
        chart: chart.id,
        fingerprint: chart.fingerprint,
        scenario: scenarioHash,
        answers: await hashOf(options.answers),
        services: await hashOf(options.services),
        policies: options.policy.length === 0 ? null : await hashOfAll(options.policy),
        program: thisPackage().version,
      },
      ...rest,
      policies: policies.flatMap((set) => set.policies.map(({ name }) => name)),
      findings: findings.map((finding, index) => ({
        ...finding,
        command: command(finding.play, index + 1),
      })),
    }
  })

/** Plays the run of a child process (`--processes`). The process is killed, or returns the result. */
export const playChildRun = (workflow: CertifiedWorkflow, child: KilledRun): Promise<FaultRun> =>
  withCertifyOptions(workflow, async (certifyOptions) => {
    const { kind, index } = workflow.options.only ?? { kind: "kill-after", index: 0 }
    const disk = await openStoredProcess(child)
    return playStoredRun(certifyOptions, { kind, index: index ?? 0 }, child.runId, disk)
  })

/** Opens the files and services of a workflow, and closes them after `use`. */
async function withCertifyOptions<Result>(
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
        namesNoRequest: "user" in answer && answer.id === undefined,
      })),
      answers,
      async load() {
        // A process that dies loses the memory of its modules, so the module is executed again.
        const module = services === undefined ? {} : await loadServices(services, randomIds.next())
        return {
          ...module,
          services: { ...toolsets?.services, ...module.services },
          ...(priceOf === undefined ? {} : { priceOf }),
        }
      },
      http: await httpOptions(options),
      policies,
      ...(options.prices === undefined
        ? {}
        : { policyPrices: await readCallPrices(options.prices) }),
      most: options.most,
      ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
      ...(options.only === undefined ? {} : { only: options.only }),
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

const hashOf = async (file: string | undefined): Promise<string | null> =>
  file === undefined ? null : sha256((await readSource(file)).text)

const hashOfAll = async (files: readonly string[]): Promise<string> =>
  sha256(
    (await Promise.all(files.map((file) => readSource(file)))).map(({ text }) => text).join(""),
  )

const sha256 = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

async function httpOptions({
  secrets,
  allowTemplateHosts,
  allowHost,
  allowPrivateAddresses,
  maxResponseBytes,
}: FaultsOptions): Promise<NonNullable<Parameters<typeof certify>[0]["http"]>> {
  const { secretsFromEnvironment, secretsFromFile } = await import("../../adapters/http/index.js")
  return {
    secrets:
      secrets === undefined
        ? secretsFromEnvironment({ prefix: secretPrefix })
        : secretsFromFile(secrets),
    ...(allowTemplateHosts === undefined ? {} : { allowTemplateHosts }),
    ...(allowHost === undefined ? {} : { allowedHosts: allowHost }),
    ...(allowPrivateAddresses === undefined ? {} : { allowPrivateAddresses }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  }
}

/** Returns a function that formats the command for a finding. */
function commandOf(
  file: string,
  options: FaultsOptions,
): (
  play: { readonly fault: string; readonly answers: readonly unknown[] } | null,
  number: number,
) => string {
  const folder = options.out === undefined || options.out.endsWith(".json") ? "faults" : options.out
  const option = (name: string, value: string | undefined): string =>
    value === undefined ? "" : ` ${name} ${shellWord(value)}`
  return (play, number) => {
    const script = play === null ? options.scripted : `${folder}/${number}.scenario.json`
    const answers =
      play === null || play.answers.length === 0
        ? options.answers
        : `${folder}/${number}.answers.json`
    return [
      `${commandName()} faults ${shellWord(file)}`,
      option("--scripted", script),
      option("--answers", answers),
      option("--services", options.services),
      ...options.policy.map((policy) => option("--policy", policy)),
      option("--state", options.state),
      option("--prompt", options.prompt),
      option("--only", play?.fault),
    ].join("")
  }
}

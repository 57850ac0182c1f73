import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError } from "../../errors.js"
import { certify, type CertifyOptions, playStoredRun } from "../../faults/certify.js"
import type { FaultRun } from "../../faults/check/fault-run.js"
import type { FaultReport } from "../../faults/contract/certificate.js"
import { FaultRunError } from "../../faults/play-faults.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { readSource } from "../files/read-source.js"
import type { FaultsOptions } from "../options/faults-options.js"
import { commandName } from "../terminal/command-name.js"
import { shellWord } from "../terminal/untrusted-text.js"
import type { FaultCertificate } from "./certificate.js"
import { type CertifiedWorkflow, sha256, withCertifyOptions } from "./certify-options.js"
import { playersOf } from "./fault-workers.js"
import { type KilledRun, killedInProcess, openStoredProcess } from "./processes.js"

/**
 * Executes a run for each fault and returns the fault certificate. `onProgress` is called with the
 * number of executed runs. If it returns false, no further run starts.
 */
export const makeCertificate = (
  workflow: CertifiedWorkflow,
  onProgress: (done: number, total: number) => boolean,
): Promise<FaultCertificate> =>
  withCertifyOptions(workflow, async (certifyOptions, scenarioHash) => {
    const { file, chart, options, policies } = workflow
    const report = await certified({
      ...certifyOptions,
      onProgress,
      players: (runs, runMs) => playersOf(workflow, runs, runMs),
      ...(options.processes === true && {
        killInProcess: (fault) => killedInProcess(file, options, fault),
      }),
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

/**
 * Executes all runs with injected faults. If a run throws an error, rethrows it with the same class
 * and a message that names the fault.
 */
async function certified(options: CertifyOptions): Promise<FaultReport> {
  try {
    return await certify(options)
  } catch (error) {
    if (!(error instanceof FaultRunError)) throw error
    const { cause, message } = error
    if (cause instanceof UsageProblem) throw new UsageProblem(message)
    if (cause instanceof AgentStatechartsError)
      throw new AgentStatechartsError(cause.code, message, { cause })
    throw error
  }
}

/**
 * Executes a run in a child process of `faults --processes`. Each run needs two child processes.
 * The first process is killed during the run, and the second process resumes the run and returns
 * the result.
 */
export const playChildRun = (workflow: CertifiedWorkflow, child: KilledRun): Promise<FaultRun> =>
  withCertifyOptions(workflow, async (certifyOptions) => {
    const { kind, index } = workflow.options.only ?? { kind: "kill-after", index: 0 }
    const disk = await openStoredProcess(child)
    return playStoredRun(certifyOptions, { kind, index: index ?? 0 }, child.runId, disk)
  })

const hashOf = async (file: string | undefined): Promise<string | null> =>
  file === undefined ? null : sha256((await readSource(file)).text)

const hashOfAll = async (files: readonly string[]): Promise<string> =>
  sha256(
    (await Promise.all(files.map((file) => readSource(file)))).map(({ text }) => text).join(""),
  )

/** Returns a function that formats the shell command that reproduces an invariant violation. */
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

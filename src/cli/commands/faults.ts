import type { Command } from "commander"
import { faultKinds } from "../../faults/contract/fault.js"
import { certificateDifferences, readCertificate } from "../faults/compare-certificates.js"
import { playInWorker } from "../faults/fault-workers.js"
import { writeFindings } from "../faults/write-findings.js"
import { makeCertificate, playChildRun } from "../faults/make-certificate.js"
import { readKilledRun } from "../faults/processes.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { readStateOption } from "../files/read-state-option.js"
import { writeTo } from "../files/write-result.js"
import { certificateLines } from "../faults/format-certificate.js"
import { type FaultsOptions, withFaultsOptions } from "../options/faults-options.js"
import { progressLine } from "../progress/progress-line.js"
import type { Terminal } from "../terminal/terminal.js"
import { safeJson } from "../terminal/untrusted-text.js"
import { printPolicyProblems } from "../workflow/check-policies.js"
import { readPolicyFiles } from "../files/read-policy-files.js"
import { refuseCalls } from "../workflow/refuse-calls.js"
import { loadChart } from "../workflow/load-chart.js"

const manual = `
The command plays the workflow once without faults, and then once for each place where one thing can go wrong: the process is killed before
or after a record, a service does not answer or answers with an error, a person answers twice or too late. It checks each run against the
run without faults. All services are simulated. Host functions of --services are called. Nothing waits for real time.

Kinds of faults:
  ${faultKinds.join(", ")}

Exit codes:
  0 every invariant holds in every run, 1 a finding, or a difference to --against, 2 invalid input or a scenario that is too short,
  130 interrupted

Examples:
  agent-statecharts faults workflow.json --scripted scenario.json --answers answers.json
  agent-statecharts faults workflow.json --scripted scenario.json --only kill-before@3
  agent-statecharts faults workflow.json --scripted scenario.json --kinds timeout,status-429
  agent-statecharts faults workflow.json --scripted scenario.json --json -o faults.certificate.json
  agent-statecharts faults workflow.json --scripted scenario.json --against faults.certificate.json`

export function addFaults(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withFaultsOptions(program.command("faults"))
    .description("inject every single fault into a scripted run and certify that the run survives")
    .argument("<file>", "a workflow config or a compiled chart")
    .addHelpText("after", manual)
    .action(async (file: string, options: FaultsOptions) =>
      exit(await faults(file, options, terminal)),
    )
}

async function faults(file: string, options: FaultsOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.child === "worker") return playInWorker()
  const against = options.against === undefined ? null : await readCertificate(options.against)
  const [state, context] = [
    await readStateOption(options.state),
    await readStateOption(options.context, "--context"),
  ]
  const { sets: policies, diagnostics } = await readPolicyFiles(options.policy)
  if (diagnostics.length > 0) {
    printPolicyProblems([file], diagnostics, options.json ?? false, terminal)
    return exitCodes.invalid
  }
  const chart = await loadChart(file, options, terminal, true)
  if (chart === null) return exitCodes.invalid
  refuseCalls(chart, file, "Fault certificates")
  const input = {
    ...(options.prompt !== undefined && { prompt: options.prompt }),
    ...(state !== undefined && { state }),
    ...(context !== undefined && { context }),
  }
  const workflow = { file, chart, input, options, policies }
  if (options.child !== undefined) {
    const run = await playChildRun(workflow, readKilledRun(options.child))
    terminal.document(JSON.stringify(run))
    return exitCodes.ok
  }
  const progress = progressLine(terminal)
  let isInterrupted = false
  const release = terminal.onInterrupt(() => {
    isInterrupted = true
  })
  try {
    const certificate = await makeCertificate(workflow, (done, total) => {
      progress.show(`Injecting faults, ${done} of ${total} runs`)
      return !isInterrupted
    })
    progress.clear()
    const differences = against === null ? [] : certificateDifferences(against, certificate)
    if (options.out?.endsWith(".json") === true)
      await writeTo(options.out, `${JSON.stringify(certificate, null, 2)}\n`)
    else if (options.out !== undefined) await writeFindings(certificate, options.out)
    if (options.json === true) terminal.print(safeJson(certificate, 2))
    else for (const line of certificateLines(certificate, terminal.paint)) terminal.print(line)
    for (const difference of differences)
      terminal.printError(`different from ${options.against}: ${difference}`)
    if (isInterrupted) {
      terminal.printError("Interrupted. The certificate does not contain all faults.")
      return exitCodes.cancelled
    }
    return certificate.ok && differences.length === 0 ? exitCodes.ok : exitCodes.failed
  } finally {
    progress.clear()
    release()
  }
}

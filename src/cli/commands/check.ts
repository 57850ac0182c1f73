import { type Command, Option } from "commander"
import { repeatableOption } from "../options/repeatable-option.js"
import type { ChartAnalysis, Finding, PriceList } from "../../analysis/index.js"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { commandName } from "../terminal/command-name.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { readChart, refuseCompileOptions } from "../workflow/load-chart.js"
import { progressLine } from "../progress/progress-line.js"
import { readCallPrices } from "../services/read-call-prices.js"
import { readConfig } from "../files/read-source.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { compileOptions } from "../workflow/compile-options.js"
import type { FileCheck } from "../format/print-file-checks.js"
import { printFileChecks } from "../format/print-file-checks.js"
import { checkAgainst } from "../workflow/check-against.js"
import { decidePolicies, printPolicyProblems, policyExitCode } from "../workflow/check-policies.js"
import { readPolicyFiles } from "../files/read-policy-files.js"
import type { compile, CompileOptions, PolicyDiagnostic } from "../../compiler/index.js"
import type { PolicySet } from "../../policies/policy.js"
import { oneLine, shellWord } from "../terminal/untrusted-text.js"
import { wholeNumberBetween } from "../options/whole-number.js"

const checkFormats = ["text", "json", "sarif", "junit"] as const

type CheckFormat = (typeof checkFormats)[number]

interface CheckOptions extends WorkflowOptions {
  readonly json?: boolean
  readonly format?: CheckFormat
  readonly hints?: boolean
  readonly bounds?: boolean
  readonly toolRounds: number
  readonly prices?: string
  readonly worstCase?: string
  readonly failOn: "error" | "warning"
  readonly policy: readonly string[]
  readonly allowUnknown?: boolean
  readonly counterexamples?: string
  /** Old workflow file. `check` decides whether its open runs can continue with the new one. */
  readonly against?: string
}

const examples = `
Examples:
  agent-statecharts check workflow.json
  agent-statecharts check workflows/*.json --hints
  agent-statecharts check workflow.json --bounds --prices prices.json
  agent-statecharts check workflow.json --json --fail-on warning
  agent-statecharts check agents/claims
  agent-statecharts check workflow.json --policy payments.policy.yaml
  agent-statecharts check workflow.json --policy payments.policy.yaml --format sarif > check.sarif
  agent-statecharts check workflow.json --policy payments.policy.yaml --counterexamples found
  cat workflow.json | agent-statecharts check - --json`

export function addCheck(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("check")))
    .description(
      "validate workflow configs; report every problem with its location and fix, and the bounds of a run",
    )
    .argument(
      "<file...>",
      'workflow configs (JSON, YAML, folders of Agent Config YAML) or compiled charts; "-" is stdin',
    )
    .option("--json", "print JSON: [{file, ok, needs, diagnostics, analysis, policies}]")
    .addOption(
      new Option("--format <name>", "format of the output (default: text)").choices(checkFormats),
    )
    .option("--hints", "also report hints, the lowest severity")
    .option("--bounds", "also list the agents and cycles that the bounds of a run come from")
    .option(
      "--tool-rounds <number>",
      "number of model responses with tool calls that the bounds assume for each turn",
      wholeNumberBetween(0, 999_999_999),
      1,
    )
    .option("--prices <file>", "JSON file with the prices of models; adds a bound on the cost")
    .option(
      "--worst-case <folder>",
      "write a scenario with the maximum number of model calls, for `run --scripted`",
    )
    .addOption(
      new Option("--fail-on <severity>", "lowest severity that exits with code 2")
        .choices(["error", "warning"])
        .default("error"),
    )
    .addOption(
      repeatableOption(
        "--policy <file>",
        "prove the policies of a file, or print violating runs",
      ).default([], "none"),
    )
    .option(
      "--counterexamples <folder>",
      "write the files with which `run` plays the counterexample of each violated policy",
    )
    .option("--against <file>", "old workflow: decide whether its open runs can continue")
    .option("--allow-unknown", "exit with code 0 if no policy is violated and some are not decided")
    .addHelpText("after", examples)
    .action(async (files: readonly string[], options: CheckOptions) =>
      exit(await check(files, options, terminal, program.version() ?? "")),
    )
}

/** Executes the command `check`. Prints diagnostics to stdout, because they are its result. */
async function check(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  version: string,
): Promise<ExitCode> {
  const { worstCase, counterexamples, against } = options
  const single = Object.entries({ "worst-case": worstCase, counterexamples, against })
  for (const [name, value] of single)
    if (value !== undefined && files.length > 1)
      throw new UsageProblem(`--${name} accepts one workflow. Pass a single file.`)
  if (options.counterexamples !== undefined && options.policy.length === 0)
    throw new UsageProblem("--counterexamples needs --policy. Pass a policy file.")
  const prices = options.prices === undefined ? undefined : await readCallPrices(options.prices)
  const { sets, diagnostics: policyProblems } = await readPolicyFiles(options.policy)
  const format = formatOf(options)
  if (policyProblems.length > 0) {
    if (format === "text" || format === "json")
      printPolicyProblems(files, policyProblems, format === "json", terminal)
    else terminal.print(await reportText(format, [], policyProblems, options, version))
    return exitCodes.invalid
  }
  const checked: FileCheck[] = []
  const progress = progressLine(terminal)
  for (const [index, file] of files.entries()) {
    progress.show(`Checking ${oneLine(file)}, file ${index + 1} of ${files.length}`)
    checked.push(
      await checkFile(file, options, prices, sets, terminal, (step) => progress.show(step)),
    )
  }
  progress.clear()
  if (format === "text") printFileChecks(checked, terminal, options)
  else terminal.print(await reportText(format, checked, [], options, version))
  const [first] = checked
  if (options.worstCase !== undefined && first?.chart != null) {
    const { writeWorstCase } = await import("../workflow/write-worst-case.js")
    const runArguments = writeWorstCase(first.chart, options.toolRounds, options.worstCase)
    terminal.printError(
      `Wrote the worst case to ${options.worstCase}. Run it with: ${commandName()} run ${shellWord(first.file)} ${runArguments}`,
    )
  }
  if (!checked.every((each) => isAccepted(each, options.failOn))) return exitCodes.invalid
  const exitCode = policyExitCode(
    checked.flatMap(({ policies }) => policies ?? []),
    options.allowUnknown ?? false,
  )
  return exitCode === exitCodes.ok && first?.against?.verdict === "depends"
    ? exitCodes.failed
    : exitCode
}

async function checkFile(
  file: string,
  options: CheckOptions,
  prices: PriceList | undefined,
  sets: readonly PolicySet[],
  terminal: Terminal,
  onStep: (step: string) => void,
): Promise<FileCheck> {
  const source = await readConfig(file, { allowOutside: options.allowOutside ?? false })
  const { config, name, folder } = source
  const stored = typeof config === "string" ? readChart(config, name) : null
  if (stored !== null) {
    refuseCompileOptions(options, name)
    const { loadProgram } = await import("../../runtime/program/load-program.js")
    loadProgram(stored)
  }
  const { chart, diagnostics, needs } =
    stored === null
      ? await compileWithServices(config, await compileOptions(options, source), options.services)
      : { chart: stored, diagnostics: [], needs: [] }
  const { analyzeChart } = await import("../../analysis/index.js")
  onStep(`Analyzing ${oneLine(file)}`)
  const analysis =
    chart === null
      ? null
      : withoutKnown(
          analyzeChart(chart, {
            toolRounds: options.toolRounds,
            ...(prices !== undefined && { prices }),
          }),
          diagnostics,
        )
  return {
    file: name,
    folder,
    against:
      chart === null || options.against === undefined
        ? null
        : await checkAgainst(options.against, chart, options, terminal),
    ok: analysis !== null && analysis.findings.every(({ severity }) => severity !== "error"),
    needs,
    undeclared:
      chart === null || options.services === undefined
        ? []
        : (await import("../services/registered-services.js")).undeclaredTools(chart),
    diagnostics: diagnostics.filter(
      ({ severity }) => options.hints === true || severity !== "hint",
    ),
    chart,
    analysis,
    policies:
      chart === null || sets.length === 0
        ? null
        : await decidePolicies(sets, {
            chart,
            file,
            prices: prices ?? null,
            folder: options.counterexamples ?? null,
            options,
            onStep,
          }),
  }
}

/**
 * Compiles a workflow config. If the module of `--services` exports services, compiles the config
 * again with the list of these services. The second compilation reports missing services.
 */
async function compileWithServices(
  config: Parameters<typeof compile>[0],
  options: CompileOptions,
  module: string | undefined,
): Promise<ReturnType<typeof compile>> {
  const { compile } = await import("../../compiler/index.js")
  const compiled = compile(config, options)
  if (module === undefined) return compiled
  const { registeredServices } = await import("../services/registered-services.js")
  const services = await registeredServices(module, compiled.needs, compiled.chart)
  return services === null ? compiled : compile(config, { ...options, services })
}

/** Returns the output format that the options select. `--json` is short for `--format json`. */
function formatOf({ json, format }: CheckOptions): CheckFormat {
  if (json !== true) return format ?? "text"
  if (format === undefined || format === "json") return "json"
  throw new UsageProblem(`--json and --format ${format} cannot be combined. Remove one of them.`)
}

async function reportText(
  format: Exclude<CheckFormat, "text">,
  checked: readonly FileCheck[],
  policyProblems: readonly PolicyDiagnostic[],
  { failOn, allowUnknown = false }: CheckOptions,
  version: string,
): Promise<string> {
  switch (format) {
    case "json":
      return (await import("../format/check-json.js")).checkJson(checked)
    case "sarif":
      return (await import("../format/check-sarif.js")).checkSarif(checked, policyProblems, version)
    case "junit": {
      const { checkJunit } = await import("../format/check-junit.js")
      return checkJunit(checked, policyProblems, { failOn, allowUnknown }).trimEnd()
    }
  }
}

/** Removes findings that the compiler also reports, as diagnostics with a line number. */
function withoutKnown(analysis: ChartAnalysis, diagnostics: readonly Diagnostic[]): ChartAnalysis {
  const isKnown = ({ code, agent, key }: Finding): boolean =>
    diagnostics.some(
      (known) =>
        (key === undefined ? known.agent === agent : known.message.includes(JSON.stringify(key))) &&
        compilerCodes[code] === known.code,
    )
  return { ...analysis, findings: analysis.findings.filter((finding) => !isKnown(finding)) }
}

const compilerCodes: Readonly<Partial<Record<Finding["code"], Diagnostic["code"]>>> = {
  unbounded_ring: "endless_loop",
  branch_race: "branches_write_one_key",
  read_before_write: "key_never_written",
}

const isAccepted = (
  { ok, diagnostics, analysis, policies }: FileCheck,
  failOn: CheckOptions["failOn"],
): boolean =>
  ok &&
  (failOn === "error" ||
    ((policies?.warnings ?? []).length === 0 &&
      [...diagnostics, ...(analysis?.findings ?? [])].every(({ severity }) => severity === "hint")))

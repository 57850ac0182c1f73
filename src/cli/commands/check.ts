import type { Command } from "commander"
import type { Diagnostic } from "../../compiler/diagnostics.js"
import type { Need } from "../../compiler/index.js"
import { countText, diagnosticText } from "../diagnostic-text.js"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { readConfig } from "../read-source.js"
import type { Terminal } from "../terminal.js"
import type { WorkflowOptions } from "../workflow-options.js"
import { compileOptions, withServices, withWorkflowOptions } from "../workflow-options.js"

interface CheckOptions extends WorkflowOptions {
  readonly json?: boolean
  readonly hints?: boolean
}

interface Checked {
  readonly file: string
  readonly folder: string | null
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly needs: readonly Need[]
}

const examples = `
Examples:
  agent-statecharts check workflow.json
  agent-statecharts check workflows/*.json --hints
  agent-statecharts check agents/claims
  cat workflow.json | agent-statecharts check - --json`

export function addCheck(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withServices(withWorkflowOptions(program.command("check")))
    .description("say everything that is wrong with workflow configs, with place and cure")
    .argument("<file...>", 'workflow configs (JSON, YAML, folders of Agent Config YAML); "-" is stdin')
    .option("--json", "diagnostics as JSON: [{file, ok, needs, diagnostics}]")
    .option("--hints", "also what is merely worth a thought")
    .addHelpText("after", examples)
    .action(async (files: readonly string[], options: CheckOptions) => exit(await check(files, options, terminal)))
}

/** Everything goes to stdout: what is wrong is the result of this command. */
async function check(files: readonly string[], options: CheckOptions, terminal: Terminal): Promise<ExitCode> {
  const { compile } = await import("../../compiler/index.js")
  const checked: Checked[] = []
  for (const file of files) {
    const { config, name, folder } = await readConfig(file, { allowOutside: options.allowOutside ?? false })
    const { chart, diagnostics, needs } = compile(config, await compileOptions(options, name))
    checked.push({ file: name, folder, ok: chart !== null, needs, diagnostics: diagnostics.filter(({ severity }) => options.hints === true || severity !== "hint") })
  }
  if (options.json === true) terminal.print(JSON.stringify(checked.map(({ file, ok, needs, diagnostics }) => ({ file, ok, needs, diagnostics })), null, 2))
  else printChecked(checked, terminal, options.hints === true)
  return checked.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.invalid
}

function printChecked(checked: readonly Checked[], { print, paint }: Terminal, hints: boolean): void {
  for (const { file, folder, diagnostics } of checked) for (const diagnostic of diagnostics) print(`${diagnosticText(diagnostic, { name: file, folder }, paint)}\n`)
  for (const { file, ok, diagnostics, needs } of checked) {
    const counts = countText(diagnostics, hints)
    print(`${ok ? paint.good("✔") : paint.bad("✖")} ${file}: ${counts === "" ? "fine" : ok ? `fine, with ${counts}` : counts}`)
    printNeeds(needs, print)
  }
  if (checked.length > 1) print(`${checked.filter(({ ok }) => ok).length} of ${checked.length} files are fine`)
}

/** What a runner has to be given by name, in one place: by kind, each with the agent that needs it first. */
function printNeeds(needs: readonly Need[], print: Terminal["print"]): void {
  const kinds = [...new Set(needs.map(({ kind }) => kind))]
  for (const kind of kinds) {
    const names = needs.filter((need) => need.kind === kind).map(({ name, usedBy }) => `${name} (${usedBy})`)
    print(`  needs ${names.length === 1 ? kind : `${kind === "policy" ? "policie" : kind}s`}: ${names.join(", ")}`)
  }
}

import type { Command } from "commander"
import type { Diagnostic } from "../../compiler/diagnostics.js"
import { countText, diagnosticText } from "../diagnostic-text.js"
import type { ExitCode } from "../exit-codes.js"
import { exitCodes } from "../exit-codes.js"
import { readSource } from "../read-source.js"
import type { Terminal } from "../terminal.js"
import type { WorkflowOptions } from "../workflow-options.js"
import { compileOptions, withWorkflowOptions } from "../workflow-options.js"

interface CheckOptions extends WorkflowOptions {
  readonly json?: boolean
  readonly hints?: boolean
}

interface Checked {
  readonly file: string
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
}

const examples = `
Examples:
  agent-statecharts check workflow.json
  agent-statecharts check workflows/*.json --hints
  cat workflow.json | agent-statecharts check - --json`

export function addCheck(program: Command, terminal: Terminal, exit: (code: ExitCode) => void): void {
  withWorkflowOptions(program.command("check"))
    .description("say everything that is wrong with workflow configs, with place and cure")
    .argument("<file...>", 'workflow configs (JSON); "-" is stdin')
    .option("--json", "diagnostics as JSON: [{file, ok, diagnostics}]")
    .option("--hints", "also what is merely worth a thought")
    .addHelpText("after", examples)
    .action(async (files: readonly string[], options: CheckOptions) => exit(await check(files, options, terminal)))
}

/** Everything goes to stdout: what is wrong is the result of this command. */
async function check(files: readonly string[], options: CheckOptions, terminal: Terminal): Promise<ExitCode> {
  const { compile } = await import("../../compiler/index.js")
  const checked: Checked[] = []
  for (const file of files) {
    const { text, name } = await readSource(file)
    const { chart, diagnostics } = compile(text, compileOptions(options, name))
    checked.push({ file: name, ok: chart !== null, diagnostics: diagnostics.filter(({ severity }) => options.hints === true || severity !== "hint") })
  }
  if (options.json === true) terminal.print(JSON.stringify(checked, null, 2))
  else printChecked(checked, terminal, options.hints === true)
  return checked.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.invalid
}

function printChecked(checked: readonly Checked[], { print, paint }: Terminal, hints: boolean): void {
  for (const { file, diagnostics } of checked) for (const diagnostic of diagnostics) print(`${diagnosticText(diagnostic, file, paint)}\n`)
  for (const { file, ok, diagnostics } of checked) {
    const counts = countText(diagnostics, hints)
    print(`${ok ? paint.good("✔") : paint.bad("✖")} ${file}: ${counts === "" ? "fine" : ok ? `fine, with ${counts}` : counts}`)
  }
  if (checked.length > 1) print(`${checked.filter(({ ok }) => ok).length} of ${checked.length} files are fine`)
}

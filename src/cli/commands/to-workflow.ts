import type { Command } from "commander"
import { join } from "node:path"
import type { AsWorkflow } from "../../compiler/index.js"
import { countText } from "../../machines/data/problem-text.js"
import { commandName } from "../terminal/command-name.js"
import { diagnosticTexts } from "../format/format-diagnostic.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { readConfig } from "../files/read-source.js"
import type { Terminal } from "../terminal/terminal.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { withServices, withWorkflowOptions } from "../options/workflow-options.js"
import { compileOptions } from "../workflow/compile-options.js"
import { writeTo } from "../files/write-result.js"
import { oneLine, safeName, shellWord } from "../terminal/untrusted-text.js"

const manual = `
ADK 2 deprecates SequentialAgent, ParallelAgent and LoopAgent in favour of Workflow graphs. The files of the graph are printed to stdout.
Functions that you must write, and features that a graph does not support, are listed on stderr.

Examples:
  agent-statecharts to-workflow agent.json
  agent-statecharts to-workflow team/ -o graph/
  agent-statecharts draw graph/`

export function addToWorkflow(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  withServices(withWorkflowOptions(program.command("to-workflow")))
    .description("convert a tree of agents to a Workflow graph (Agent Config YAML)")
    .argument(
      "<file>",
      'a workflow config (JSON, YAML, or a folder with a root_agent.yaml); "-" is stdin',
    )
    .option("-o, --out <folder>", "write the files to a folder instead of stdout")
    .addHelpText("after", manual)
    .action(async (file: string, options: WorkflowOptions & { readonly out?: string }) =>
      exit(await convert(file, options, terminal)),
    )
}

async function convert(
  file: string,
  options: WorkflowOptions & { readonly out?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const { print, printError, document, paint, paintError } = terminal
  const source = await readConfig(file, { allowOutside: options.allowOutside ?? false })
  const { toWorkflow } = await import("../../compiler/index.js")
  const converted = toWorkflow(source.config, await compileOptions(options, source))
  const errors = converted.diagnostics.filter(({ severity }) => severity === "error")
  for (const text of diagnosticTexts(errors, source, paintError)) printError(text)
  if (converted.files === null) {
    printError(`${oneLine(source.name)} has ${countText(errors, false)}.`)
    return exitCodes.invalid
  }
  for (const [name, text] of Object.entries(converted.files)) {
    if (options.out === undefined) document(`${paint.dim(`# ${oneLine(name)}`)}\n${text}\n`)
    else await writeTo(join(options.out, name), text)
  }
  if (options.out !== undefined)
    print(
      `Wrote ${Object.keys(converted.files).length} files to ${options.out}. Draw the graph with: ${commandName()} draw ${shellWord(options.out)}`,
    )
  printOpenPoints(converted, terminal)
  return exitCodes.ok
}

function printOpenPoints(
  { functions, notes }: AsWorkflow,
  { printError, paintError }: Terminal,
): void {
  const names = Object.entries(functions)
  if (names.length > 0) {
    printError(paintError.bold("Functions to write"))
    for (const [name, does] of names) printError(`  ${safeName(name)} ${oneLine(does)}`)
  }
  if (notes.length === 0) return
  printError(paintError.bold("Not supported in a Workflow graph"))
  for (const note of notes) printError(`  ${oneLine(note)}`)
}

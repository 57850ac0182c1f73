import { join } from "node:path"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { writeTo } from "../files/write-result.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { loadDeclarations } from "../services/load-services.js"
import { commandOf } from "../test-plan/plan-report.js"
import type { Play } from "./script-of-log.js"

export interface NamedPlay {
  /** Prefix of the names of all files that reproduce the counterexample. Unique in the folder. */
  readonly name: string
  readonly play: Play
}

/** Writes the files that reproduce a counterexample. Returns the shell command that runs them. */
export async function writeCounterexample(
  { name, play }: NamedPlay,
  folder: string,
  file: string,
  chart: AgentChart,
  options: WorkflowOptions,
): Promise<string> {
  const pathOf = (one: string): string => join(folder, one)
  const files = {
    scenario: { name: `${name}.scenario.json`, value: play.scenario },
    answers:
      play.answers.length === 0 ? null : { name: `${name}.answers.json`, value: play.answers },
    state:
      Object.keys(play.state).length === 0
        ? null
        : { name: `${name}.state.json`, value: play.state },
  }
  for (const one of Object.values(files))
    if (one !== null) await writeTo(pathOf(one.name), `${JSON.stringify(one.value, null, 2)}\n`)
  const module = `${name}.services.mjs`
  if (play.services !== null)
    await writeTo(pathOf(module), await withDeclarations(play.services, options.services))
  const services = play.services === null ? options.services : pathOf(module)
  return commandOf(file, chart, files, pathOf, [
    ...(services === undefined ? [] : ["--services", services]),
    ...compileArguments(options),
  ])
}

/**
 * Adds an export named `declarations` to the source code of a stub module. The declarations come
 * from the user's `--services` module. The compiler still needs them, although the stub module
 * replaces that module.
 */
async function withDeclarations(source: string, services: string | undefined): Promise<string> {
  const declarations = services === undefined ? undefined : await loadDeclarations(services)
  return declarations === undefined
    ? source
    : `${source}\nexport const declarations = ${JSON.stringify(declarations, null, 2)}\n`
}

/**
 * Returns the compile options of the chart as command-line arguments, for example `["--dialect",
 * "adk"]`.
 */
const compileArguments = ({
  dialect,
  node,
  exitScope,
  allowOutside,
  allowProcesses,
}: WorkflowOptions): readonly string[] => [
  ...(dialect === undefined ? [] : ["--dialect", dialect]),
  ...(node === undefined ? [] : ["--node", node]),
  ...(exitScope === undefined ? [] : ["--exit-scope", exitScope]),
  ...(allowOutside === true ? ["--allow-outside"] : []),
  ...(allowProcesses === true ? ["--allow-processes"] : []),
]

import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { countText } from "../../machines/data/problem-text.js"
import { diagnosticTexts } from "../format/format-diagnostic.js"
import { readConfig } from "../files/read-source.js"
import type { Terminal } from "../terminal/terminal.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { compileOptions } from "./compile-options.js"
import { oneLine } from "../terminal/untrusted-text.js"

/**
 * Loads a chart from a file that contains a workflow config or a compiled chart. Prints diagnostics
 * to stderr. Returns null if the config has errors.
 */
export async function loadChart(
  file: string,
  options: WorkflowOptions,
  terminal: Terminal,
  quiet = false,
): Promise<AgentChart | null> {
  const source = await readConfig(file, { allowOutside: options.allowOutside ?? false })
  const { config, name } = source
  const chart = typeof config === "string" ? readChart(config, name) : null
  if (chart !== null) {
    refuseCompileOptions(options, name)
    return chart
  }
  const { compile } = await import("../../compiler/index.js")
  const compiled = compile(config, await compileOptions(options, source))
  const reported = compiled.diagnostics.filter(
    ({ severity }) => severity === "error" || (severity === "warning" && !quiet),
  )
  for (const text of diagnosticTexts(reported, source, terminal.paintError))
    terminal.printError(text)
  if (compiled.chart === null)
    terminal.printError(`${oneLine(name)} has ${countText(reported, false)}.`)
  return compiled.chart
}

/**
 * Parses a compiled chart, which is a JSON object with the field `formatVersion`. Returns null for
 * any other text. Throws an error if the chart is invalid.
 */
export function readChart(text: string, name: string): AgentChart | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, "formatVersion")) return null
  const version: unknown = value["formatVersion"]
  if (version !== 1)
    throw new AgentStatechartsError(
      "chart_invalid",
      `${name} is a chart of format ${JSON.stringify(version)}, but this version reads only format 1. Compile its config again.`,
    )
  const broken = ["machines", "agents", "tools", "settings", "input"].find(
    (field) => !isJsonObject(value[field]),
  )
  if (broken !== undefined)
    throw new AgentStatechartsError(
      "chart_invalid",
      `${name} is not a complete chart: "${broken}" is missing or not an object.`,
    )
  // The runtime validates all other fields when it loads the chart.
  return value as unknown as AgentChart
}

/**
 * Throws a usage error if compile options are passed for a compiled chart. The option
 * `--allow-processes` is accepted, because runs also need it.
 */
export function refuseCompileOptions(
  { dialect, node, exitScope }: WorkflowOptions,
  name: string,
): void {
  const usedOption = Object.entries({
    "--dialect": dialect,
    "--node": node,
    "--exit-scope": exitScope,
  }).find(([, value]) => value !== undefined)
  if (usedOption !== undefined)
    throw new UsageProblem(
      `${usedOption[0]} applies only to configs, but ${name} is a compiled chart. Remove the option, or pass the config.`,
    )
}

import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import { isConfigFolder } from "./1-parse/files/config-folder.js"
import { emitChart } from "./4-emit/emit-chart.js"
import { emitTaskGraph } from "./4-emit/emit-task-graph.js"
import { CalledFiles } from "./compile-files.js"
import { checkSource } from "./check-source.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import type { Need } from "./needs.js"
import { needsOf } from "./needs.js"
import type { ChartStateValue } from "../machines/contract/chart-state-value.js"
import type { ReadOptions } from "./read-workflow.js"
import { readWorkflow } from "./read-workflow.js"
import type { StateValueOf } from "./state-value/state-value-of.js"

export interface CompileOptions extends ReadOptions {
  /**
   * Maximum number of parallel regions that one machine may have active at the same time. A
   * parallel block with more branches runs each branch in a separate machine. Default: 16.
   */
  readonly maxRegions?: number
}

export interface Compiled<StateValue extends ChartStateValue = ChartStateValue> {
  /** The compiled chart. Null if the config has errors. */
  readonly chart: AgentChart<StateValue> | null
  /**
   * Errors first, then warnings, then hints. Diagnostics of the same severity are in the order of
   * the config.
   */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Description of the workflow, or else of its root agent, for lists of workflows. The chart does
   * not contain it. Null if neither has a description.
   */
  readonly description: string | null
  /**
   * The models and host functions that must be registered with the runner before a run can start.
   * Empty if the chart is null.
   */
  readonly needs: readonly Need[]
}

const optionNames = Object.keys({
  dialect: true,
  node: true,
  file: true,
  folder: true,
  services: true,
  plugins: true,
  defaultModel: true,
  allowProcesses: true,
  maxRegions: true,
  maxModelCalls: true,
  maxModelCallsPerTurn: true,
  maxOrchestrationCycles: true,
  maxHandoffs: true,
  maxDuration: true,
  budget: true,
  onConditionError: true,
  subAgentExitFlow: true,
  stateMerge: true,
} satisfies Record<keyof CompileOptions, true>)

/**
 * Compiles a workflow config to a statechart (docs/semantics.md#dialects). The config is JSON or
 * YAML text, an object, or a folder of Agent Config YAML. The compiler does not open files. Pass
 * the folder as data or through an adapter. Never throws for an invalid config. Instead, reports
 * every problem as a diagnostic with its location and fix. `compileOrThrow` throws an error with
 * all diagnostics.
 *
 * @throws AgentStatechartsError `argument_invalid` if an argument is not a config at all, such as
 * `undefined`
 *
 * @example
 * const { chart, diagnostics } = compile(await readFile("workflow.json", "utf8"), { file: "workflow.json" })
 * if (chart === null) for (const { message, fix } of diagnostics) console.error(message, fix)
 */
export function compile<const Source extends string | object | ConfigFolder>(
  source: Source,
  options: CompileOptions = {},
): Compiled<StateValueOf<Source>> {
  checkSource(source, options, optionNames)
  return compileSource(source, options, calledFiles(source, options))
}

/**
 * Returns an object that compiles the workflows that a config calls by file. Returns null if the
 * config has no folder.
 */
export function calledFiles(
  source: string | object | ConfigFolder,
  options: CompileOptions,
): CalledFiles | null {
  const folder = typeof source === "object" && isConfigFolder(source) ? source : options.folder
  return folder === undefined ? null : new CalledFiles(folder, compileCalled(options))
}

/**
 * Returns a function that compiles called workflows. Compile options that only concern the calling
 * config, such as `node`, are not used for the called workflows.
 */
const compileCalled =
  ({ services, plugins, defaultModel, allowProcesses, maxRegions }: CompileOptions) =>
  (source: string | ConfigFolder, files: CalledFiles): Compiled =>
    compileSource(
      source,
      {
        services,
        plugins,
        defaultModel,
        allowProcesses,
        file: files.folder.root,
        folder: files.folder,
        ...(maxRegions !== undefined && { maxRegions }),
      },
      files,
    )

function compileSource<const Source extends string | object | ConfigFolder>(
  source: Source,
  options: CompileOptions,
  files: CalledFiles | null,
): Compiled<StateValueOf<Source>> {
  const { workflow, graph, diagnostics } = readWorkflow(source, options, files?.compile)
  const { maxRegions = 16 } = options
  if (graph !== null) {
    const chart = emitTaskGraph(graph, { maxRegions }) as AgentChart<StateValueOf<Source>>
    return { chart, diagnostics, description: null, needs: needsOf(chart) }
  }
  if (workflow === null) return { chart: null, diagnostics, description: null, needs: [] }
  // The type `StateValueOf` derives the same states from the type of the config.
  const chart = emitChart(workflow, { maxRegions }) as AgentChart<StateValueOf<Source>>
  return { chart, diagnostics, description: workflow.description, needs: needsOf(chart) }
}

import type { AgentChart } from "../machines/agent-chart.js"
import { emitChart } from "./4-emit/emit-chart.js"
import type { Diagnostic } from "./diagnostics.js"
import type { ReadOptions } from "./read-workflow.js"
import { readWorkflow } from "./read-workflow.js"

export interface CompileOptions extends ReadOptions {
  /** How many parallel regions one machine may have open at once, default 16: wider blocks are run as fans. */
  readonly maxRegions?: number
}

export interface Compiled {
  /** null when there are errors. */
  readonly chart: AgentChart | null
  /** Errors, warnings and hints, in the order of the config. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Compiles a workflow config to a statechart (SPEC section 1). Never throws for a bad config: all that is wrong with it
 * comes back as diagnostics, with place and cure.
 *
 * @example
 * const { chart, diagnostics } = compile(await readFile("workflow.json", "utf8"), { file: "workflow.json" })
 * if (chart === null) for (const { message, cure } of diagnostics) console.error(message, cure)
 */
export function compile(source: string | object, options: CompileOptions = {}): Compiled {
  const { workflow, diagnostics } = readWorkflow(source, options)
  if (workflow === null) return { chart: null, diagnostics }
  return { chart: emitChart(workflow, { maxRegions: options.maxRegions ?? 16 }), diagnostics }
}

import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { CalledWorkflow, CompileFile } from "./1-parse/config/called-workflow.js"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import { leavesFolder } from "./1-parse/files/file-path.js"
import { referencedPath, reportUnopened } from "./1-parse/files/referenced-file.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import { configLimits } from "./document/config-limits.js"
import { report } from "./diagnostics/config-location.js"

/**
 * A function that compiles a workflow file that another workflow calls. The compiled workflow can
 * itself call workflow files, which `files` compiles.
 */
type CompileSource = (
  source: string | ConfigFolder,
  files: CalledFiles,
) => { readonly chart: AgentChart | null; readonly diagnostics: readonly Diagnostic[] }

/**
 * Compiles the workflows that a config calls by file. Each file is compiled only once. Reports an
 * error if a workflow calls itself, directly or through other files.
 */
export class CalledFiles {
  readonly folder: ConfigFolder
  readonly #compileSource: CompileSource
  /**
   * Paths of the files from the root file to the current file, in the order of the calls. A call of
   * one of these files would be a cycle.
   */
  readonly #around: readonly string[]
  /** The compiled chart of each file, by file path. Null if the file has errors. */
  readonly #compiled: Map<string, AgentChart | null>

  constructor(
    folder: ConfigFolder,
    compileSource: CompileSource,
    around: readonly string[] = [folder.root],
    compiled: Map<string, AgentChart | null> = new Map(),
  ) {
    this.folder = folder
    this.#compileSource = compileSource
    this.#around = around
    this.#compiled = compiled
  }

  readonly compile: CompileFile = (written, location) => {
    const { folder } = this
    const path = referencedPath(folder, written, location, "team/research.json")
    if (path === null) return null
    const start = this.#around.indexOf(path)
    if (start !== -1)
      return report(location, {
        code: "reference_cycle",
        problem: `makes a cycle of calls: ${[...this.#around.slice(start), path].join(" -> ")}`,
        fix: "Remove one of these calls. If a workflow must call itself, register it with the runner and call it by name.",
      })
    if (this.#around.length > configLimits.callDepth)
      return report(location, {
        code: "nesting_too_deep",
        problem: `is a call that is nested in ${this.#around.length - 1} other calls; the maximum is ${configLimits.callDepth - 1}`,
        fix: "Reduce the number of nested calls, for example by calling the workflow from the root workflow.",
      })
    const known = this.#compiled.get(path)
    const chart = known === undefined ? this.#compileFile(path, written, location) : known
    return chart === null ? null : this.#called(path, chart, location)
  }

  #compileFile(
    path: string,
    written: string,
    location: Parameters<CompileFile>[1],
  ): AgentChart | null {
    const { folder } = this
    this.#compiled.set(path, null)
    const opened = folder.open(path)
    if (!("text" in opened)) return reportUnopened(folder, written, path, opened, location)
    const inner: ConfigFolder = {
      ...folder,
      root: path,
      open: (file) => (file === path ? opened : folder.open(file)),
    }
    const { chart, diagnostics } = this.#compileSource(
      /\.ya?ml$/i.test(path) ? inner : opened.text,
      new CalledFiles(inner, this.#compileSource, [...this.#around, path], this.#compiled),
    )
    for (const diagnostic of diagnostics)
      // The input of the call can set any state key, so this warning may not apply.
      if (diagnostic.code !== "key_never_written")
        location.parser.report.add({ ...diagnostic, file: diagnostic.file ?? path, part: "none" })
    this.#compiled.set(path, chart)
    return chart
  }

  #called(
    path: string,
    chart: AgentChart,
    location: Parameters<CompileFile>[1],
  ): CalledWorkflow | null {
    const size = chartCount(chart)
    if (size > configLimits.calledWorkflows)
      return report(location, {
        code: "config_too_large",
        problem: `calls ${size} workflows, counting each one in every workflow that calls it; the maximum is ${configLimits.calledWorkflows}`,
        fix: "Register some of these workflows by name, so that the chart does not contain them.",
      })
    return { name: leavesFolder(path) ? path : `./${path}`, chart }
  }
}

/**
 * Returns the number of charts in a compiled workflow. This includes the chart itself and the
 * charts of all workflows that it calls by file, directly or through other workflows.
 */
const chartCount = ({ workflows = {} }: AgentChart): number =>
  Object.values(workflows).reduce((count, inner) => count + chartCount(inner), 1)

import { calledFiles } from "./compile.js"
import { stringify } from "yaml"
import type { ConfigFolder } from "./1-parse/files/config-folder.js"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import type { ReadOptions } from "./read-workflow.js"
import { readWorkflow } from "./read-workflow.js"
import { unroll } from "./to-workflow/unroll.js"

/**
 * The result of converting an agent tree to a graph of nodes, as the files of an Agent Config
 * folder.
 */
export interface AsWorkflow {
  /**
   * Agent Config YAML by file name, with `root_agent.yaml` first. Null if the config has errors.
   */
  readonly files: Readonly<Record<string, string>> | null
  /**
   * Differences between the graph and the original agents. Each sentence describes a feature that
   * the graph does not have.
   */
  readonly notes: readonly string[]
  /**
   * Functions that you must write and register. Keys are function names. Values describe the result
   * that the function must return.
   */
  readonly functions: Readonly<Record<string, string>>
  readonly diagnostics: readonly Diagnostic[]
}

const nothingWritten = { files: null, notes: [], functions: {} }

const isGraph: Diagnostic = {
  code: "unsupported_feature",
  severity: "error",
  message: "A graph of Graph Compose cannot be converted to a Workflow of ADK.",
  fix: "Convert the agents of one adk node: select it with the option node.",
  pointer: "",
}

/**
 * Converts an agent tree to a Workflow, the graph of nodes in ADK 2, because ADK 2 deprecates
 * sequential, parallel and loop agents. Returns the files of an Agent Config folder, and notes
 * about everything that the graph cannot express. Never throws for an invalid config.
 *
 * @example
 * const { files, notes } = toWorkflow(await readFile("agent.json", "utf8"))
 * for (const [name, text] of Object.entries(files ?? {})) await writeFile(join("graph", name), text)
 */
export function toWorkflow(
  source: string | object | ConfigFolder,
  options: ReadOptions = {},
): AsWorkflow {
  const { workflow, graph, diagnostics } = readWorkflow(
    source,
    options,
    calledFiles(source, options)?.compile,
  )
  if (graph !== null) return { ...nothingWritten, diagnostics: [...diagnostics, isGraph] }
  if (workflow === null) return { ...nothingWritten, diagnostics }
  const { files, functions, notes } = unroll(workflow)
  const order = [...files].sort(
    ([one], [other]) => Number(other === "root_agent.yaml") - Number(one === "root_agent.yaml"),
  )
  const texts = order.map(([name, content]): [string, string] => [
    name,
    stringify(content, { lineWidth: 120 }),
  ])
  return {
    files: Object.fromEntries(texts),
    notes: [...notes],
    functions: Object.fromEntries(functions),
    diagnostics,
  }
}

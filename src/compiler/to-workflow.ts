import { stringify } from "yaml"
import type { Diagnostic } from "./diagnostics/diagnostic.js"
import type { ReadOptions } from "./read-workflow.js"
import { readWorkflow } from "./read-workflow.js"
import { unroll } from "./to-workflow/unroll.js"

export interface AsWorkflow {
  /** Agent Config YAML by file name, `root_agent.yaml` first; null when the config has errors. */
  readonly files: Readonly<Record<string, string>> | null
  /** What does not carry over, each a sentence. */
  readonly notes: readonly string[]
  /** Functions that have to be written and registered: what each has to return, by name. */
  readonly functions: Readonly<Record<string, string>>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * A tree of agents as the equivalent Workflow graph of ADK 2, whose sequential, parallel and loop agents are deprecated: a folder
 * of Agent Config YAML, and what it cannot say. Never throws for a bad config.
 *
 * @example
 * const { files, notes } = toWorkflow(await readFile("agent.json", "utf8"))
 * for (const [name, text] of Object.entries(files ?? {})) await writeFile(join("graph", name), text)
 */
export function toWorkflow(
  source: Parameters<typeof readWorkflow>[0],
  options: ReadOptions = {},
): AsWorkflow {
  const { workflow, diagnostics } = readWorkflow(source, options)
  if (workflow === null) return { files: null, notes: [], functions: {}, diagnostics }
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

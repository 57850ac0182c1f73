import { keysIn } from "../../machines/model-call/instruction-template.js"
import { report } from "../diagnostics/config-location.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import type { WrittenKey } from "./key-writers.js"

/**
 * Reports `{key}` in the instructions of a graph-compose agent with an endpoint, which receives
 * them unchanged, if the key exists in the state. Also reports `stateInPrompt` of such an agent.
 */
export function warnOfUnfilledPlaceholders(
  { workflow, agents }: ResolvedWorkflow,
  written: ReadonlyMap<string, WrittenKey>,
): void {
  if (workflow.dialect === "adk") return
  const { state } = workflow.input
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (agent.type !== "LlmAgent" || agent.endpoint === null || config === undefined) continue
    if (!agent.stateInPrompt)
      report(config.fieldAt("stateInPrompt"), {
        code: "no_effect",
        severity: "warning",
        says: `has no effect: the agent has an "httpConfig", and its service receives the state in the request`,
        fix: "Remove it.",
        part: "key",
      })
    const keys = new Set(keysIn(agent.instructions ?? "").map(({ key }) => key))
    for (const key of keys) {
      if (!written.has(key) && !Object.hasOwn(state, key)) continue
      report(config.fieldAt("instructions"), {
        code: "unfilled_placeholder",
        severity: "warning",
        says: `contains {${key}}, which is not filled: an agent with an "httpConfig" sends its instructions unchanged`,
        fix: `Read the key from "state" in the request of your service, or use "model" instead of "httpConfig".`,
      })
    }
  }
}

import { keysIn } from "../../machines/model-call/instruction-template.js"
import { report } from "../diagnostics/config-location.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { templatesOf } from "./instruction-keys.js"
import type { WrittenKey } from "./key-writers.js"

/** Matches a `{{ }}` template that reads one state key, such as `{{ state.facts }}`. */
const endpointTemplate = /\{+\s*state\.([\p{L}_][\p{L}\p{N}_]*)\s*\}+/gu

/**
 * Reports placeholders for state keys that are never replaced by values, because they have the
 * wrong form or occur in the wrong field.
 */
export function warnOfUnfilledPlaceholders(
  resolved: ResolvedWorkflow,
  written: ReadonlyMap<string, WrittenKey>,
): void {
  warnOfSentPlaceholders(resolved, written)
  warnOfEndpointTemplates(resolved, written)
}

/**
 * Reports `{{ state.key }}` in an instruction or a prompt if the key exists in the state. Templates
 * of this form are only replaced in HTTP endpoints.
 */
function warnOfEndpointTemplates(
  { workflow, agents }: ResolvedWorkflow,
  written: ReadonlyMap<string, WrittenKey>,
): void {
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (config === undefined) continue
    for (const [field, text] of templatesOf(agent, workflow))
      for (const [template, key = ""] of text.matchAll(endpointTemplate))
        if (written.has(key) || Object.hasOwn(workflow.input.state, key))
          report(config.fieldAt(field), {
            code: "unfilled_placeholder",
            severity: "warning",
            problem: `contains ${template}, which is not filled: a placeholder in this field is the name of a state key`,
            fix: `Write {${key}}.`,
          })
  }
}

/**
 * Reports warnings about graph-compose agents with an HTTP endpoint. The endpoint receives the
 * instructions unchanged, so a placeholder such as `{key}` for an existing state key is not filled.
 * The setting `stateInPrompt: false` has no effect on such an agent.
 */
function warnOfSentPlaceholders(
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
        problem: `has no effect: the agent has an "httpConfig", and its service receives the state in the request`,
        fix: "Remove it.",
        part: "key",
      })
    const keys = new Set(keysIn(agent.instructions ?? "").map(({ key }) => key))
    for (const key of keys) {
      if (!written.has(key) && !Object.hasOwn(state, key)) continue
      report(config.fieldAt("instructions"), {
        code: "unfilled_placeholder",
        severity: "warning",
        problem: `contains {${key}}, which is not filled: an agent with an "httpConfig" sends its instructions unchanged`,
        fix: `Read the key from "state" in the request of your service, or use "model" instead of "httpConfig".`,
      })
    }
  }
}

import { keysInPrompt } from "../../machines/human/prompt-template.js"
import { keysIn } from "../../machines/model-call/instruction-template.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import { report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import { didYouMean } from "../../machines/data/suggest.js"
import type { AgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import type { WrittenKey } from "./key-writers.js"

/**
 * Reports a warning for each state key that an agent reads but that is never written. Checks
 * instructions, `prompt` and `show` of HumanAgents, `prompt` and `input` of WorkflowAgents, and
 * `until` of WaitAgents. If the key of an instruction is missing, the run fails.
 */
export function warnOfInstructions(
  { workflow, agents }: ResolvedWorkflow,
  written: ReadonlyMap<string, WrittenKey>,
): void {
  const { state } = workflow.input
  const known = [...written.keys(), ...Object.keys(state)]
  for (const agent of workflow.agents.values()) {
    const config = agents.get(agent.id)
    if (config === undefined) continue
    for (const { field, keys, fix } of readsOf(agent, workflow)) {
      for (const key of keys) {
        if (written.has(key) || Object.hasOwn(state, key) || systemKeys.has(key)) continue
        const location = config.fieldAt(field)
        report(location, {
          code: "key_never_written",
          severity: "warning",
          problem: `reads the key ${describeValue(key)}, which is never written: it is not an outputKey and not in the initial state`,
          fix: `${didYouMean(location.parser.suggest(key, known))}Use an existing key, set this key as the outputKey of an agent, ${fix(key)}.`,
        })
      }
    }
  }
}

/**
 * The state keys that one field of an agent reads. `fix` returns the end of the suggestion for a
 * key that is never written, such as `add the key to the initial state, or remove it`.
 */
interface FieldReads {
  readonly field: string
  readonly keys: ReadonlySet<string>
  readonly fix: (key: string) => string
}

function readsOf(agent: AgentNode, workflow: WorkflowTree): readonly FieldReads[] {
  if (agent.type === "WorkflowAgent") {
    const fix = (): string => "add the key to the initial state, or remove it"
    return [
      ...readsOfPrompt(agent.prompt),
      { field: "input", keys: new Set(Object.values(agent.input ?? {})), fix },
    ]
  }
  if (agent.type === "WaitAgent") return readsOfPrompt(agent.until, "until")
  if (agent.type !== "HumanAgent")
    return templatesOf(agent, workflow).map(([field, template]) =>
      readsOfTemplate(field, keysIn(template)),
    )
  return [
    ...readsOfPrompt(agent.prompt),
    ...(agent.show === null
      ? []
      : [
          {
            field: "show",
            keys: new Set(agent.show),
            fix: () => "add the key to the initial state, or remove it from the list",
          },
        ]),
  ]
}

const readsOfPrompt = (prompt: string | null, field = "prompt"): readonly FieldReads[] =>
  prompt === null ? [] : [readsOfTemplate(field, keysInPrompt(prompt))]

const readsOfTemplate = (field: string, keys: ReturnType<typeof keysIn>): FieldReads => ({
  field,
  keys: new Set(keys.flatMap(({ key, optional }) => (optional ? [] : [key]))),
  fix: (key) => `add the key to the initial state, or write {${key}?} if the key may be missing`,
})

/**
 * Returns the texts of an agent that may contain state placeholders such as `{key}`, as pairs of
 * field name and text.
 */
export function templatesOf(
  agent: AgentNode,
  { dialect, root }: WorkflowTree,
): readonly (readonly [field: string, template: string])[] {
  if (agent.type === "HumanAgent" || agent.type === "WorkflowAgent")
    return agent.prompt === null ? [] : [["prompt", agent.prompt]]
  if (agent.type === "WaitAgent") return agent.until === null ? [] : [["until", agent.until]]
  if (agent.type !== "LlmAgent") return []
  if (dialect !== "adk") {
    // Instructions are only a template if the agent calls a model by name
    // (docs/semantics.md#models-by-name).
    if (agent.endpoint !== null || !agent.stateInPrompt) return []
    return agent.instructions === null ? [] : [["instructions", agent.instructions]]
  }
  if (agent.adk === null) return []
  const { instruction, globalInstruction } = agent.adk
  return [
    ...(instruction === null ? [] : [["instruction", instruction] as const]),
    ...(globalInstruction === null || agent !== root
      ? []
      : [["globalInstruction", globalInstruction] as const]),
  ]
}

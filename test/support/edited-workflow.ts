import * as fc from "fast-check"
import type { ScriptedWorkflow } from "./arbitrary-workflow.js"
import { human, llm, type sequence } from "./workflow.js"

type Fields = Readonly<Record<string, unknown>>

const edits = [
  "text",
  "text",
  "append",
  "append",
  "prepend",
  "remove",
  "reverse",
  "key",
  "retries",
  "rounds",
  "limit",
  "person",
] as const

/** An edit of a workflow: the kind of change, and the number of the changed agent. */
export interface WorkflowEdit {
  readonly kind: (typeof edits)[number]
  readonly agent: number
}

export const workflowEdit: fc.Arbitrary<WorkflowEdit> = fc.record({
  kind: fc.constantFrom(...edits),
  agent: fc.nat(30),
})

/** The agent that an edit adds. */
const extra = { agentId: "extra" }

type Config = Fields & { readonly agents: readonly Fields[] }

/** Returns the config of a random workflow, with a person after it or in parallel to it. */
export const configWithPerson = (
  { agents, fields }: ScriptedWorkflow,
  container: typeof sequence,
): Config => ({
  rootAgentId: "top",
  initialUserInput: "go",
  ...fields,
  agents: [container("top", [agents[0]?.["id"] as string, "last"]), ...agents, human("last")],
})

/**
 * Returns an edited config. The edit changes the first agent that it can change, from its number
 * on. Returns null if it cannot change any agent.
 */
export function editedConfig(config: Config, { kind, agent }: WorkflowEdit): Config | null {
  const { agents } = config
  if (kind === "limit") return { ...config, maxModelCalls: 4 }
  for (let step = 0; step < agents.length; step++) {
    const at = (agent + step) % agents.length
    const before = agents[at] as Fields
    const after = edited(before, kind)
    if (after === before) continue
    const added = JSON.stringify(after).includes('"extra"') ? [llm("extra")] : []
    return { ...config, agents: [...agents.slice(0, at), after, ...agents.slice(at + 1), ...added] }
  }
  return null
}

function edited(before: Fields, kind: WorkflowEdit["kind"]): Fields {
  const { type, id, subAgents, prompt } = before
  // The sub-agents of an LlmAgent are configs, and a block over a list has one.
  const children =
    type === "LlmAgent" || before["forEach"] !== undefined
      ? []
      : ((subAgents ?? []) as readonly Fields[])
  if (kind === "text" && type === "LlmAgent")
    return { ...before, instructions: "In other words.", description: "Another description." }
  if (kind === "text" && type === "HumanAgent") return { ...before, prompt: `${prompt} Really.` }
  if (kind === "key" && before["outputKey"] !== undefined)
    return { ...before, outputKey: `${id}_other` }
  if (kind === "retries" && type === "LlmAgent")
    return {
      ...before,
      activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: 5 } },
    }
  if (kind === "rounds" && type === "LoopAgent") return { ...before, maxAgentLoopIterations: 4 }
  if (kind === "person" && type === "LlmAgent" && subAgents === undefined)
    return human(id as string)
  if (children.length === 0) return before
  if (kind === "append") return { ...before, subAgents: [...children, extra] }
  if (kind === "prepend") return { ...before, subAgents: [extra, ...children] }
  if (kind === "reverse" && children.length > 1)
    return { ...before, subAgents: [...children].reverse() }
  if (kind === "remove" && children.length > 1)
    return { ...before, subAgents: children.slice(0, -1) }
  return before
}

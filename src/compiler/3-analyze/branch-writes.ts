import { fieldOf, report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import type { AgentNode, ParallelAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { subAgentsOf } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { mergeRuleOf, outputKeyOf } from "./node-facts.js"

/**
 * The state keys that an agent writes. The value is the id of an agent or tool that writes the key.
 */
type Writes = ReadonlyMap<string, string>

/**
 * Maximum number of state keys that are compared to find parallel branches that write the same key.
 * Without this limit, a malicious config could take quadratic time. Conflicts beyond this limit are
 * not reported.
 */
const budget = 1_000_000

/**
 * Reports a warning if two parallel branches write the same state key, because one of them
 * overwrites the value of the other when the branches are joined.
 */
export function warnOfBranchWrites({ workflow, agents }: ResolvedWorkflow): void {
  const writesOf = branchWrites(workflow)
  for (const agent of workflow.agents.values()) {
    const config = agent.type === "ParallelAgent" ? agents.get(agent.id) : undefined
    if (agent.type !== "ParallelAgent" || config === undefined) continue
    for (const [key, { writers, branch }] of sharedKeys(agent, writesOf)) {
      if (mergeRuleOf(key, workflow.settings) !== "replace") continue
      report(fieldOf(config.fieldAt("subAgents"), branch), {
        code: "branches_write_one_key",
        severity: "warning",
        problem: `writes the key ${describeValue(key)}, like another branch: ${writers.join(" and ")} overwrite each other, and only the later value is kept`,
        fix: `Use a separate key for each branch, or define how the values are merged: "stateMerge": {${describeValue(key)}: "append"}.`,
      })
    }
  }
}

interface SharedKey {
  /**
   * Names of at most four agents or tools that write the key, for the warning. The name of an agent
   * or tool inside a branch includes the branch, such as `"critic" in the branch "reviews"`.
   */
  readonly writers: readonly string[]
  /**
   * Index of the second branch that writes the key. The warning about the conflict is reported at
   * this branch.
   */
  readonly branch: number
}

function sharedKeys(
  { subAgents }: ParallelAgentNode,
  writesOf: (agent: AgentNode) => Writes,
): ReadonlyMap<string, SharedKey> {
  const firsts = new Map<string, { readonly name: string; readonly conditional: boolean }>()
  const shared = new Map<string, SharedKey>()
  subAgents.forEach(({ agent, when }, branch) => {
    for (const [key, writer] of writesOf(agent)) {
      const name =
        writer === agent.id
          ? describeValue(writer)
          : `${describeValue(writer)} in the branch ${describeValue(agent.id)}`
      const first = firsts.get(key)
      const earlier = shared.get(key)
      if (first === undefined) firsts.set(key, { name, conditional: when !== null })
      // If both branches have conditions, they are not reported, because they may never run
      // together.
      else if (!(first.conditional && when !== null)) {
        if (earlier === undefined) shared.set(key, { writers: [first.name, name], branch })
        else if (earlier.writers.length < 4)
          shared.set(key, { ...earlier, writers: [...earlier.writers, name] })
      }
    }
  })
  return shared
}

/**
 * Returns a function that returns all state keys that an agent writes. They include the keys that
 * its sub-agents, its tools and the agents in its tools write.
 */
export function branchWrites({ tools, settings }: WorkflowTree): (agent: AgentNode) => Writes {
  const known = new Map<AgentNode, Writes>()
  let left = budget

  function writesOf(agent: AgentNode): Writes {
    const earlier = known.get(agent)
    if (earlier !== undefined) return earlier
    const writes = own(agent)
    known.set(agent, writes)
    return writes
  }

  function own(agent: AgentNode): Writes {
    const writes = new Map<string, string>()
    const add = (below: Writes) => {
      for (const [key, writer] of below) {
        if (left-- <= 0) return
        if (!writes.has(key)) writes.set(key, writer)
      }
    }
    const key = outputKeyOf(agent)
    if (key !== null) writes.set(key, agent.id)
    if (agent.type === "LlmAgent") {
      for (const id of agent.tools) {
        const tool = tools.get(id)
        if (tool === undefined) continue
        const toolKey = outputKeyOf(tool)
        if (toolKey !== null && !writes.has(toolKey)) writes.set(toolKey, tool.id)
        if (tool.type === "AgentTool") add(writesOf(tool.target))
      }
    }
    const forEach = agent.type === "ParallelAgent" ? agent.forEach : null
    for (const child of subAgentsOf(agent))
      add(forEach === null ? writesOf(child) : mergedWrites(writesOf(child)))
    for (const target of Object.keys(forEach?.collect ?? {})) writes.set(target, agent.id)
    return writes
  }

  /**
   * Returns the writes of a `forEach` branch to keys that have a merge rule, such as `append`. Only
   * these writes reach the state after the branches. `inside` contains all writes of the branch.
   */
  const mergedWrites = (inside: Writes): Writes =>
    new Map([...inside].filter(([key]) => mergeRuleOf(key, settings) !== "replace"))

  return writesOf
}

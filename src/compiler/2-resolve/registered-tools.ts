import { isHostedTool } from "../1-parse/adk/never-supported.js"
import type { AgentConfig, FunctionToolConfig, WorkflowConfig } from "../1-parse/agent-config.js"
import { identifier } from "../1-parse/fields/identifier.js"
import { report } from "../1-parse/place.js"
import { toolOwner } from "../1-parse/tool-fields.js"

/**
 * The tools that agents of the adk dialect name and that stand nowhere in the config, by these names: a dotted one, and in
 * ADK's own form, which has no list of tools, any. They are host code that the runner has; the model knows such a tool by
 * the last part of its name (SPEC section 11). `known` are the ids of all other tools.
 */
export function registeredTools(
  { tools, registeredTools: anyName }: WorkflowConfig,
  agents: readonly AgentConfig[],
  known: ReadonlySet<string | null>,
): ReadonlyMap<string, FunctionToolConfig & { readonly id: string }> {
  const found = new Map<string, FunctionToolConfig & { readonly id: string }>()
  if (tools === null) return found
  for (const agent of agents) {
    if (agent.type !== "LlmAgent" || agent.adk === null) continue
    for (const { id: name, at } of agent.tools) {
      if (known.has(name) || found.has(name) || isHostedTool(name) || !(anyName || name.includes("."))) continue
      const id = name.slice(name.lastIndexOf(".") + 1)
      identifier(id, at)
      if (id === "exit_loop") report(at, { code: "reserved_name", says: `names a tool "exit_loop", which is reserved for the tool that ends a loop`, cure: "Give it another name." })
      const tool = { type: "FunctionTool", id, service: name, description: null, parameters: null, requireConfirmation: false, expiresInMs: null } as const
      found.set(name, { ...tool, at: { ...at, field: "", owner: toolOwner("FunctionTool", id, at) }, fieldAt: () => at })
    }
  }
  return found
}

import { exitLoop } from "../../machines/model-call/built-in-tools.js"
import { isHostedTool } from "../1-parse/adk/values/never-supported.js"
import { isUnsupportedTool } from "../1-parse/adk/tools/tool-classes.js"
import type { RegisteredTool } from "../1-parse/adk/tools/registered-tool.js"
import { registeredTool } from "../1-parse/adk/tools/registered-tool.js"
import type { AgentConfig } from "../1-parse/config/agent-config.js"
import type { WorkflowConfig } from "../1-parse/config/workflow-config.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"

/**
 * Returns the tools that agents of the adk dialect use but the config does not define, by name.
 * These tools are host functions that must be registered with the runner
 * (docs/semantics.md#config-documents). Their names must contain a dot, except in ADK's own form of
 * a config, which has no list of tools. A built-in tool is only included if the runner has a
 * replacement for it. `known` contains the ids of the tools that the config defines.
 */
export function registeredTools(
  { tools, registeredTools: anyName }: WorkflowConfig,
  agents: readonly AgentConfig[],
  known: ReadonlySet<string | null>,
  { parser }: ParserLocation,
): ReadonlyMap<string, RegisteredTool> {
  const found = new Map<string, RegisteredTool>()
  if (tools === null) return found
  for (const agent of agents) {
    if (agent.type !== "LlmAgent" || agent.dialect !== "adk") continue
    for (const {
      name: { id: name, location },
    } of agent.tools ?? []) {
      if (known.has(name) || found.has(name)) continue
      const isReplaced = parser.services.kindsOf(name).length > 0
      const isBuiltIn = name === exitLoop || isHostedTool(name) || isUnsupportedTool(name)
      if (isReplaced || (!isBuiltIn && (anyName || name.includes("."))))
        found.set(name, registeredTool(name, { ...location, parser }, null))
    }
  }
  return found
}

import type { settingFields, workflowDefinition } from "../../agent-types/workflow.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import type { ParsedFields } from "../config/agent-config.js"
import type { WorkflowConfig, WorkflowSettings } from "../config/workflow-config.js"
import type { DescribedTable } from "../fields/described-table.js"
import { readDescribed } from "../fields/described-table.js"
import type { FoundConfig } from "./find-config.js"

/**
 * Parses a workflow definition such as `{rootAgentId, agents, ...}`. The agents and tools are
 * parsed in the dialect of the config.
 */
export function readDefinition(
  found: FoundConfig,
  table: DescribedTable<typeof workflowDefinition.fields>,
): WorkflowConfig {
  const { values, has, locationOf } = readDescribed(found.config, table, found.location)
  const { readAgent, readTool } = found.location.parser
  if (values.agents?.length === 0) {
    report(locationOf("agents"), {
      code: "bad_value",
      problem: "is an empty list",
      fix: "Add at least one agent to the list.",
    })
  }
  return {
    nodeId: found.nodeId,
    root: values.rootAgentId,
    agents: readable(
      values.agents,
      (entry, index) => readAgent(entry, fieldOf(locationOf("agents"), index)) ?? [],
    ),
    tools: has("globalTools")
      ? (values.globalTools?.flatMap(
          (entry, index) => readTool(entry, fieldOf(locationOf("globalTools"), index)) ?? [],
        ) ?? null)
      : [],
    registeredTools: false,
    plugins: [],
    defaultModel: null,
    settings: settingsOf(values),
    prompt: values.initialUserInput,
    description: values.description,
    state: values.state ?? {},
    context: found.context ?? values.context ?? {},
  }
}

/**
 * Returns the valid entries of a list. Returns null if the list is not in the config, or if it has
 * entries but none of them is valid.
 */
function readable<Config>(
  entries: readonly unknown[] | null,
  read: (entry: unknown, index: number) => Config | readonly Config[],
): readonly Config[] | null {
  const found = entries?.flatMap(read) ?? null
  return found?.length === 0 && entries?.length !== 0 ? null : found
}

/** Returns the settings of a workflow, without its other parsed fields. */
export const settingsOf = (values: ParsedFields<typeof settingFields>): WorkflowSettings => ({
  maxModelCalls: values.maxModelCalls,
  maxModelCallsPerTurn: values.maxModelCallsPerTurn,
  maxOrchestrationCycles: values.maxOrchestrationCycles,
  maxHandoffs: values.maxHandoffs,
  maxDuration: values.maxDuration,
  budget: values.budget,
  onConditionError: values.onConditionError,
  subAgentExitFlow: values.subAgentExitFlow,
  stateMerge: values.stateMerge,
})

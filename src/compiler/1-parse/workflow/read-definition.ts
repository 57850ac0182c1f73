import { budget } from "../fields/budget.js"
import { duration } from "../fields/duration.js"
import type { WorkflowConfig, WorkflowSettings } from "../config/agent-config.js"
import { anything, data } from "../fields/data.js"
import { stateData } from "../fields/output-key.js"
import type { FieldTable } from "../fields/field-table.js"
import { optional, required } from "../fields/field-table.js"
import { reference } from "../fields/identifier.js"
import { count, list, oneOf, text } from "../fields/plain-values.js"
import type { Values } from "../fields/read-fields.js"
import { readFields } from "../fields/read-fields.js"
import { stateMerge } from "../fields/state-merge.js"
import type { FoundConfig } from "./find-config.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"

/** Reads `{rootAgentId, agents, ...}`; agents and tools are read in the words of the config's dialect. */
export function readDefinition(
  found: FoundConfig,
  table: FieldTable<typeof definitionFields>,
): WorkflowConfig {
  const { values, has, at } = readFields(found.config, table, found.at)
  const { readAgent, readTool } = found.at.parser
  if (values.agents?.length === 0) {
    report(at("agents"), {
      code: "bad_value",
      says: "is an empty list",
      fix: "Add the agents of the workflow.",
    })
  }
  return {
    nodeId: found.nodeId,
    root: values.rootAgentId,
    agents: readable(
      values.agents,
      (entry, index) => readAgent(entry, fieldOf(at("agents"), index)) ?? [],
    ),
    tools: has("globalTools")
      ? (values.globalTools?.flatMap(
          (entry, index) => readTool(entry, fieldOf(at("globalTools"), index)) ?? [],
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

/** What could be read of a list. Null where nothing could, though something is written there. */
function readable<Config>(
  entries: readonly unknown[] | null,
  read: (entry: unknown, index: number) => Config | readonly Config[],
): readonly Config[] | null {
  const found = entries?.flatMap(read) ?? null
  return found?.length === 0 && entries?.length !== 0 ? null : found
}

/** What a workflow has besides its agents and tools. */
export const workflowFields = {
  maxOrchestrationCycles: optional(count),
  state: optional(stateData),
  initialUserInput: optional(text),
  metadata: optional(anything),
  context: optional(data),
  dialect: optional(anything),
  subAgentExitFlow: optional(oneOf(["workflow", "agent"])),
  maxModelCalls: optional(count),
  maxModelCallsPerTurn: optional(count),
  maxHandoffs: optional(count),
  maxDuration: optional(duration),
  budget: optional(budget),
  onConditionError: optional(oneOf(["fail", "continue"])),
  stateMerge: optional(stateMerge),
  $schema: optional(anything),
}

export const definitionFields = {
  rootAgentId: required(reference, "Add the id of the agent that the workflow starts with."),
  agents: required(list, "Add the list of agents of the workflow."),
  globalTools: optional(list),
  description: optional(text),
  ...workflowFields,
}

export const definitionSynonyms = {
  root: "rootAgentId",
  rootAgent: "rootAgentId",
  root_agent: "rootAgentId",
  tools: "globalTools",
  prompt: "initialUserInput",
  userInput: "initialUserInput",
  input: "initialUserInput",
  initialState: "state",
  maxCycles: "maxOrchestrationCycles",
}

export const settingsOf = (values: Values<typeof workflowFields>): WorkflowSettings => ({
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

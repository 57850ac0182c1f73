import type { WorkflowConfig } from "../agent-config.js"
import { anything, data } from "../fields/data.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { reference } from "../fields/identifier.js"
import { count, list, oneOf, text } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import { stateMerge } from "../fields/state-merge.js"
import type { FoundConfig } from "../find-config.js"
import { fieldOf, report } from "../place.js"
import { readTool } from "./read-tool.js"

/** Reads a workflow definition of the graph-compose dialect, whatever it was wrapped in. */
export function readWorkflowConfig(found: FoundConfig): WorkflowConfig {
  const { values, has, at } = readFields(found.config, workflowFields, found.at)
  if (values.agents?.length === 0) {
    report(at("agents"), { code: "bad_value", says: "is an empty list", cure: "Add the agents that the workflow consists of." })
  }
  const { state } = values
  return {
    nodeId: found.nodeId,
    root: values.rootAgentId,
    agents: values.agents?.flatMap((entry, index) => found.at.reading.readAgent(entry, fieldOf(at("agents"), index)) ?? []) ?? null,
    tools: has("globalTools")
      ? (values.globalTools?.flatMap((entry, index) => readTool(entry, fieldOf(at("globalTools"), index)) ?? []) ?? null)
      : [],
    settings: {
      maxModelCalls: values.maxModelCalls,
      maxModelCallsPerTurn: values.maxModelCallsPerTurn,
      maxOrchestrationCycles: values.maxOrchestrationCycles,
      maxHandoffs: values.maxHandoffs,
      onConditionError: values.onConditionError,
      subAgentExitFlow: values.subAgentExitFlow,
      stateMerge: values.stateMerge,
    },
    prompt: values.initialUserInput,
    state: state ?? {},
    context: found.context ?? values.context ?? {},
  }
}

const workflowFields = fieldTable(
  "a workflow",
  {
    rootAgentId: required(reference, "Name the agent that the workflow starts with."),
    agents: required(list, "Add the list of agents that the workflow consists of."),
    globalTools: optional(list),
    maxOrchestrationCycles: optional(count),
    state: optional(data),
    initialUserInput: optional(text),
    description: optional(text),
    metadata: optional(anything),
    context: optional(data),
    dialect: optional(anything),
    subAgentExitFlow: optional(oneOf(["workflow", "agent"])),
    maxModelCalls: optional(count),
    maxModelCallsPerTurn: optional(count),
    maxHandoffs: optional(count),
    onConditionError: optional(oneOf(["fail", "continue"])),
    stateMerge: optional(stateMerge),
    $schema: optional(anything),
  },
  {
    synonyms: {
      root: "rootAgentId",
      rootAgent: "rootAgentId",
      root_agent: "rootAgentId",
      tools: "globalTools",
      prompt: "initialUserInput",
      userInput: "initialUserInput",
      input: "initialUserInput",
      initialState: "state",
      maxCycles: "maxOrchestrationCycles",
    },
  },
)

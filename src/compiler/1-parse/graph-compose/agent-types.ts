import { loopAgent, parallelAgent, sequentialAgent } from "../../agent-types/containers.js"
import { humanAgent } from "../../agent-types/human-agent.js"
import { llmAgent } from "../../agent-types/llm-agent.js"
import { waitAgent } from "../../agent-types/wait-agent.js"
import { agentReference } from "../../agent-types/workflow.js"
import { remoteAgent } from "../../agent-types/remote-agent.js"
import { workflowAgent } from "../../agent-types/workflow-agent.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { AgentConfig, ToolUse } from "../config/agent-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { readWorkflowAgent } from "../fields/called-workflow.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import type { Reader } from "../fields/field-table.js"
import { checkBranches } from "../fields/for-each.js"
import { identifier, reference } from "../fields/identifier.js"
import { modelFallbacks } from "../agents/model-fallback.js"
import { modelRoutes } from "../agents/model-routes.js"
import { filledText, list, objectOf, refuseType } from "../fields/plain-values.js"
import { sharedReaders } from "../fields/value-readers.js"
import { readWaitAgent } from "../agents/read-wait-agent.js"
import { handoffTargets, positions } from "./sub-agents.js"

/** A function that parses the config object of an agent. Each agent type has one such function. */
export type AgentReader = (
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
) => AgentConfig

const tools: Reader<readonly ToolUse[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index): readonly ToolUse[] => {
    const own = fieldOf(location, index)
    const object = objectOf(entry)
    const name = object === null ? reference(entry, own) : refuseInlineTool(object, own)
    return name === null ? [] : [{ name, own: null }]
  }) ?? null

const refuseInlineTool = (
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
): null => {
  const { naming } = location.parser
  const [onlyValue, ...otherValues] = Object.values(object)
  if (typeof onlyValue === "string" && otherValues.length === 0)
    return refuseType(object, location, "the id of a tool", describeValue(onlyValue))
  const id = object["id"] ?? object[naming.name("targetAgentId")] ?? "..."
  return report(location, {
    code: "wrong_type",
    problem: "is a tool definition, but must be the id of a tool",
    fix: `Move the tool to "${naming.name("globalTools")}" of the workflow and write its id ${describeValue(id)} here.`,
  })
}

const readers = {
  ...sharedReaders,
  agentId: identifier,
  model: filledText,
  fallback: modelFallbacks(filledText, "graph-compose"),
  modelRoutes: modelRoutes(filledText, "graph-compose"),
  tools,
  handoffTargets,
  positions,
} as const

const dialect = "graph-compose"

const tables = {
  LlmAgent: describedTable(llmAgent, dialect, readers),
  HumanAgent: describedTable(humanAgent, dialect, readers),
  WorkflowAgent: describedTable(workflowAgent, dialect, readers),
  RemoteA2AAgent: describedTable(remoteAgent, dialect, readers),
  WaitAgent: describedTable(waitAgent, dialect, readers),
  SequentialAgent: describedTable(sequentialAgent, dialect, readers),
  ParallelAgent: describedTable(parallelAgent, dialect, readers),
  LoopAgent: describedTable(loopAgent, dialect, readers),
} as const

const siblings = [
  ...Object.values(tables),
  describedTable(agentReference, dialect, readers),
] as const

/** Functions that parse the config of an agent in the graph-compose dialect, by type. */
export const agentReaders = {
  LlmAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.LlmAgent,
      location,
      siblings,
    )
    return { type: "LlmAgent", dialect, ...values, location, fieldAt }
  },
  HumanAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.HumanAgent,
      location,
      siblings,
    )
    return { type: "HumanAgent", ...values, location, fieldAt }
  },
  WorkflowAgent: (object, location) =>
    readWorkflowAgent(readDescribed(object, tables.WorkflowAgent, location, siblings), location),
  RemoteA2AAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.RemoteA2AAgent,
      location,
      siblings,
    )
    return { type: "RemoteA2AAgent", ...values, location, fieldAt }
  },
  WaitAgent: (object, location) =>
    readWaitAgent(readDescribed(object, tables.WaitAgent, location, siblings), location),
  SequentialAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.SequentialAgent,
      location,
      siblings,
    )
    return { type: "SequentialAgent", ...values, location, fieldAt }
  },
  ParallelAgent(object, location) {
    const read = readDescribed(object, tables.ParallelAgent, location, siblings)
    checkBranches(read)
    return { type: "ParallelAgent", ...read.values, location, fieldAt: read.locationOf }
  },
  LoopAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.LoopAgent,
      location,
      siblings,
    )
    return { type: "LoopAgent", ...values, location, fieldAt }
  },
} as const satisfies Record<string, AgentReader>

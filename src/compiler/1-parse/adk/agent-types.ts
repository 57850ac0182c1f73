import { loopAgent, parallelAgent, sequentialAgent } from "../../agent-types/containers.js"
import { customAgent } from "../../agent-types/custom-agent.js"
import {
  functionNode,
  joinNode,
  routerNode,
  toolNode,
  workflowGraph,
} from "../../agent-types/graph-nodes.js"
import { humanAgent } from "../../agent-types/human-agent.js"
import { llmAgent } from "../../agent-types/llm-agent.js"
import { machineAgent } from "../../agent-types/machine-agent.js"
import { remoteAgent } from "../../agent-types/remote-agent.js"
import { waitAgent } from "../../agent-types/wait-agent.js"
import { workflowAgent } from "../../agent-types/workflow-agent.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { AgentConfig, ParsedCodeNode, SubAgentConfig } from "../config/agent-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { useService } from "../context/service-uses.js"
import { readWorkflowAgent } from "../fields/called-workflow.js"
import { data } from "../fields/data.js"
import type { ReadDescribed } from "../fields/described-table.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { checkBranches } from "../fields/for-each.js"
import { sharedReaders } from "../fields/value-readers.js"
import { readWaitAgent } from "../agents/read-wait-agent.js"
import { nodeOptions } from "./graphs/node-options.js"
import { modelFallbacks } from "../agents/model-fallback.js"
import { modelRoutes } from "../agents/model-routes.js"
import { inlineNodes, routeNames, workflowEdges } from "./graphs/workflow-edges.js"
import { codeSubAgents, handoffTargets, positions } from "./references/sub-agents.js"
import { registeredFunction } from "./tools/registered-tool.js"
import { refuseSchemaBesideTools } from "./tools/schema-beside-tools.js"
import { tools } from "./tools/tool-uses.js"
import { writtenClass } from "./values/agent-class.js"
import { agentName } from "./values/agent-name.js"
import {
  contentText,
  generateContentConfig,
  instruction,
  modelName,
  schema,
} from "./values/llm-agent-values.js"
import { userMachine } from "./values/machine-fields.js"
import { neverSupported } from "./values/never-supported.js"
import { callbackNames, serviceName } from "./values/service-names.js"

type FieldsOfConfig = Readonly<Record<string, unknown>>

/** A function that parses the config object of an agent. Each agent class has one such function. */
export type AdkAgentReader = (object: FieldsOfConfig, location: ParserLocation) => AgentConfig

const readers = {
  ...sharedReaders,
  agentId: agentName,
  callbacks: callbackNames,
  model: modelName,
  fallback: modelFallbacks(modelName, "adk"),
  modelRoutes: modelRoutes(modelName, "adk"),
  instruction,
  content: contentText,
  jsonSchema: schema,
  modelSettings: generateContentConfig,
  tools,
  handoffTargets,
  positions,
  codeSubAgents,
  edges: workflowEdges,
  inlineNodes,
  nodeOptions,
  routes: routeNames,
  nodeService: serviceName("node"),
  routerService: serviceName("router"),
  toolService: serviceName("tool"),
  machineService: serviceName("machine"),
  userMachine,
} as const

const dialect = "adk"

const tables = {
  LlmAgent: describedTable(llmAgent, dialect, readers, neverSupported),
  HumanAgent: describedTable(humanAgent, dialect, readers),
  CustomAgent: describedTable(customAgent, dialect, readers),
  MachineAgent: describedTable(machineAgent, dialect, readers),
  WorkflowAgent: describedTable(workflowAgent, dialect, readers),
  RemoteA2AAgent: describedTable(remoteAgent, dialect, readers),
  WaitAgent: describedTable(waitAgent, dialect, readers),
  SequentialAgent: describedTable(sequentialAgent, dialect, readers),
  ParallelAgent: describedTable(parallelAgent, dialect, readers),
  LoopAgent: describedTable(loopAgent, dialect, readers),
  Workflow: describedTable(workflowGraph, dialect, readers),
  FunctionNode: describedTable(functionNode, dialect, readers),
  RouterNode: describedTable(routerNode, dialect, readers),
  JoinNode: describedTable(joinNode, dialect, readers),
  ToolNode: describedTable(toolNode, dialect, readers),
} as const

const siblings = Object.values(tables)

/** All field names that any agent type of the adk dialect accepts, in camelCase and snake_case. */
export const agentFieldNames: ReadonlySet<string> = new Set(
  siblings.flatMap(({ table }) => [...table.spellings.keys()]),
)

/**
 * Returns whether a field of a custom agent's config belongs to the user's own agent class. This is
 * true if the field has a value and is not one of the fields that every CustomAgent has. Such
 * fields are passed to the host function that implements the agent.
 */
const isFieldOfClass = ([key, value]: readonly [string, unknown]): boolean =>
  !tables.CustomAgent.table.spellings.has(key) && value !== null

/** Functions that parse the config of an agent in the adk dialect, by class name. */
export const agentReaders = {
  LlmAgent(object, location) {
    const read = readDescribed(object, tables.LlmAgent, location, siblings)
    refuseSchemaBesideTools(read)
    return { type: "LlmAgent", dialect, ...read.values, location, fieldAt: read.locationOf }
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
  /**
   * Parses a CustomAgent, which is an agent that the user implements as a host function. If the
   * config names a class outside ADK, the class's dotted name is also the name under which the
   * function is registered.
   */
  CustomAgent(object, location) {
    const { value: written, field } = writtenClass(object)
    const className = typeof written === "string" && written.includes(".") ? written : null
    const own = className === null ? [] : Object.entries(object).filter(isFieldOfClass)
    const fields = own.length === 0 ? null : data(Object.fromEntries(own), location)
    const read = readDescribed(
      className === null
        ? object
        : Object.fromEntries(Object.entries(object).filter((entry) => !isFieldOfClass(entry))),
      tables.CustomAgent,
      location,
      siblings,
    )
    const { service, id } = read.values
    if (service !== null) useService(service, "agent", read.locationOf("service"))
    else if (className !== null) useService(className, "agent", fieldOf(location, field))
    else if (id !== null) useService(id, "agent", read.locationOf("id"))
    return {
      type: "CustomAgent",
      ...read.values,
      service: service ?? className,
      fields,
      location,
      fieldAt: read.locationOf,
    }
  },
  /**
   * Parses a MachineAgent, which is an XState machine that runs as an agent
   * (docs/semantics.md#machine-agents).
   */
  MachineAgent(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.MachineAgent,
      location,
      siblings,
    )
    if (values.service === null && values.id !== null)
      useService(values.id, "machine", fieldAt("id"))
    return { type: "MachineAgent", ...values, location, fieldAt }
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
  /**
   * Parses a Workflow, which is a graph of agents, functions and tools
   * (docs/semantics.md#workflow-graphs).
   */
  Workflow(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.Workflow,
      location,
      siblings,
    )
    const { edges, nodes, ...others } = values
    return {
      type: "Workflow",
      ...others,
      subAgents: allNodes(nodes ?? [], edges?.nodes ?? []),
      edges: edges?.edges ?? [],
      writtenEdges: edges?.written ?? [],
      location,
      fieldAt,
    }
  },
  FunctionNode: (object, location) =>
    codeNode(
      "FunctionNode",
      readDescribed(object, tables.FunctionNode, location, siblings),
      location,
    ),
  RouterNode: (object, location) =>
    codeNode("RouterNode", readDescribed(object, tables.RouterNode, location, siblings), location),
  JoinNode(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.JoinNode,
      location,
      siblings,
    )
    return { type: "JoinNode", ...values, location, fieldAt }
  },
  ToolNode(object, location) {
    const { values, locationOf: fieldAt } = readDescribed(
      object,
      tables.ToolNode,
      location,
      siblings,
    )
    const { toolCode, ...others } = values
    const code = toolCode === null ? null : registeredFunction(toolCode, fieldAt("toolCode"))
    return { type: "ToolNode", ...others, code, location, fieldAt }
  },
} as const satisfies Record<string, AdkAgentReader>

/**
 * Returns all nodes of a Workflow: first the nodes in its field `nodes`, then the nodes that only
 * occur in its edges.
 */
function allNodes(
  listed: readonly SubAgentConfig[],
  inEdges: readonly SubAgentConfig[],
): readonly SubAgentConfig[] {
  const ids = new Set(
    listed.flatMap((node) =>
      node.type === "inline" && "id" in node.agent && node.agent.id !== null ? [node.agent.id] : [],
    ),
  )
  return [...listed, ...inEdges.filter((node) => node.type === "inline" || !ids.has(node.to.id))]
}

function codeNode(
  type: ParsedCodeNode["type"],
  { values, locationOf: fieldAt }: ReadDescribed<typeof functionNode.fields>,
  location: ParserLocation,
): ParsedCodeNode {
  const { id, service, routes } = values
  const kind = type === "RouterNode" ? "router" : "node"
  if (service === null && id !== null) useService(id, kind, fieldAt("id"))
  const known = location.parser.services.find(service ?? id ?? "", kind)
  return { type, ...values, routes: routes ?? known?.routes ?? null, location, fieldAt }
}

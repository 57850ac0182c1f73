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

/** A function that reads the fields of an agent of one class. */
export type AdkAgentReader = (object: FieldsOfConfig, at: ParserLocation) => AgentConfig

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
 * Returns whether a CustomAgent's field belongs to the user's own agent class, because no
 * CustomAgent field of this project has its name. Such fields are passed to the agent's host
 * function.
 */
const isFieldOfClass = ([key, value]: readonly [string, unknown]): boolean =>
  !tables.CustomAgent.table.spellings.has(key) && value !== null

/** Functions that read an agent of the adk dialect, by class name. */
export const agentReaders = {
  LlmAgent(object, at) {
    const read = readDescribed(object, tables.LlmAgent, at, siblings)
    refuseSchemaBesideTools(read)
    return { type: "LlmAgent", dialect, ...read.values, at, fieldAt: read.at }
  },
  HumanAgent(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.HumanAgent, at, siblings)
    return { type: "HumanAgent", ...values, at, fieldAt }
  },
  /**
   * Reads an agent that is a host function. If the config names a class outside ADK, the class's
   * dotted name is also the name under which the function is registered.
   */
  CustomAgent(object, at) {
    const { value: written, field } = writtenClass(object)
    const className = typeof written === "string" && written.includes(".") ? written : null
    const own = className === null ? [] : Object.entries(object).filter(isFieldOfClass)
    const fields = own.length === 0 ? null : data(Object.fromEntries(own), at)
    const read = readDescribed(
      className === null
        ? object
        : Object.fromEntries(Object.entries(object).filter((entry) => !isFieldOfClass(entry))),
      tables.CustomAgent,
      at,
      siblings,
    )
    const { service, id } = read.values
    if (service !== null) useService(service, "agent", read.at("service"))
    else if (className !== null) useService(className, "agent", fieldOf(at, field))
    else if (id !== null) useService(id, "agent", read.at("id"))
    return {
      type: "CustomAgent",
      ...read.values,
      service: service ?? className,
      fields,
      at,
      fieldAt: read.at,
    }
  },
  /** Reads an XState machine as an agent (docs/semantics.md#machine-agents). */
  MachineAgent(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.MachineAgent, at, siblings)
    if (values.service === null && values.id !== null)
      useService(values.id, "machine", fieldAt("id"))
    return { type: "MachineAgent", ...values, at, fieldAt }
  },
  WorkflowAgent: (object, at) =>
    readWorkflowAgent(readDescribed(object, tables.WorkflowAgent, at, siblings), at),
  RemoteA2AAgent(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.RemoteA2AAgent, at, siblings)
    return { type: "RemoteA2AAgent", ...values, at, fieldAt }
  },
  WaitAgent: (object, at) =>
    readWaitAgent(readDescribed(object, tables.WaitAgent, at, siblings), at),
  SequentialAgent(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.SequentialAgent, at, siblings)
    return { type: "SequentialAgent", ...values, at, fieldAt }
  },
  ParallelAgent(object, at) {
    const read = readDescribed(object, tables.ParallelAgent, at, siblings)
    checkBranches(read)
    return { type: "ParallelAgent", ...read.values, at, fieldAt: read.at }
  },
  LoopAgent(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.LoopAgent, at, siblings)
    return { type: "LoopAgent", ...values, at, fieldAt }
  },
  /** Reads a workflow graph of nodes (docs/semantics.md#workflow-graphs). */
  Workflow(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.Workflow, at, siblings)
    const { edges, nodes, ...others } = values
    return {
      type: "Workflow",
      ...others,
      subAgents: allNodes(nodes ?? [], edges?.nodes ?? []),
      edges: edges?.edges ?? [],
      writtenEdges: edges?.written ?? [],
      at,
      fieldAt,
    }
  },
  FunctionNode: (object, at) =>
    codeNode("FunctionNode", readDescribed(object, tables.FunctionNode, at, siblings), at),
  RouterNode: (object, at) =>
    codeNode("RouterNode", readDescribed(object, tables.RouterNode, at, siblings), at),
  JoinNode(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.JoinNode, at, siblings)
    return { type: "JoinNode", ...values, at, fieldAt }
  },
  ToolNode(object, at) {
    const { values, at: fieldAt } = readDescribed(object, tables.ToolNode, at, siblings)
    const { toolCode, ...others } = values
    const code = toolCode === null ? null : registeredFunction(toolCode, fieldAt("toolCode"))
    return { type: "ToolNode", ...others, code, at, fieldAt }
  },
} as const satisfies Record<string, AdkAgentReader>

/** Returns the nodes in the field `nodes`, followed by the nodes that only occur in edges. */
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
  { values, at: fieldAt }: ReadDescribed<typeof functionNode.fields>,
  at: ParserLocation,
): ParsedCodeNode {
  const { id, service, routes } = values
  const kind = type === "RouterNode" ? "router" : "node"
  if (service === null && id !== null) useService(id, kind, fieldAt("id"))
  const known = at.parser.services.find(service ?? id ?? "", kind)
  return { type, ...values, routes: routes ?? known?.routes ?? null, at, fieldAt }
}

import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { ToolDeclaration } from "../../machines/contract/services.js"
import { exitLoop } from "../../machines/model-call/built-in-tools.js"
import { transferTool } from "../../machines/model-call/built-in-tools.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type {
  AgentNode,
  LlmAgentNode,
  ResolvedTool,
  WorkflowTree,
} from "../2-resolve/agent-node.js"
import { hasOutputSchema } from "../2-resolve/agent-node.js"
import { guardrailsOf } from "./guardrails.js"
import { compactionOf } from "./summarizer.js"
import { modelByName } from "./model-by-name.js"

/**
 * Returns the agents to which an agent may hand off the conversation. These are its children, its
 * parent and its siblings (docs/semantics.md#handoffs). The flags of the agent can exclude its
 * parent and siblings. An agent with an output schema may not hand off at all.
 */
export function transferTargetsOf(
  agent: LlmAgentNode,
  parent: LlmAgentNode | null,
): readonly AgentNode[] {
  if (hasOutputSchema(agent)) return []
  if (parent === null) return agent.subAgents
  const peers = agent.disallowTransferToPeers
    ? []
    : parent.subAgents.filter((peer) => peer.id !== agent.id)
  return [...agent.subAgents, ...(agent.disallowTransferToParent ? [] : [parent]), ...peers]
}

export function agentDefinition(
  agent: AgentNode,
  parent: LlmAgentNode | null,
  workflow: WorkflowTree,
  rootTeam: ReadonlySet<AgentNode>,
): AgentDefinition | null {
  switch (agent.type) {
    case "SequentialAgent":
    case "ParallelAgent":
    case "LoopAgent":
    case "CustomAgent":
    case "MachineAgent":
    case "Workflow":
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
    case "JoinNode":
      return null
    case "HumanAgent": {
      const { type, description, prompt, choices, show, outputKey, expiresInMs, onExpiry } = agent
      return {
        type,
        description,
        prompt,
        outputKey,
        expiresInMs,
        ...withoutNulls({ choices, show, onExpiry }),
      }
    }
    case "WaitAgent": {
      const { type, description, durationMs, until } = agent
      return { type, description, outputKey: null, ...withoutNulls({ durationMs, until }) }
    }
    case "WorkflowAgent": {
      const { type, description, target, prompt, input, output, outputKey } = agent
      const { maxModelCalls, maxDurationMs, budget, remote } = agent
      const limits = withoutNulls({ maxModelCalls, budget })
      return {
        type,
        description,
        workflow: target.name,
        prompt,
        output,
        outputKey,
        ...withoutNulls({
          input,
          limits: Object.keys(limits).length === 0 ? null : limits,
          maxDurationMs,
          remote,
        }),
      }
    }
    case "LlmAgent": {
      const { type, description, model, endpoint, instructions, outputKey, tools, activity } = agent
      const {
        adk,
        fallback,
        routes,
        cacheMs,
        maxDurationMs,
        budget,
        expiresInMs,
        onExpiry,
        memoryService,
      } = agent
      const byName = modelByName(agent, workflow, rootTeam)
      const targets = transferTargetsOf(agent, parent)
      const declarations = tools.flatMap((id) => {
        const tool = workflow.tools.get(id)
        return tool === undefined || tool.type === "Toolset" ? [] : [toolDeclaration(tool)]
      })
      const isToolset = (id: string): boolean => workflow.tools.get(id)?.type === "Toolset"
      const toolsets = tools.filter(isToolset)
      return {
        type,
        description,
        model,
        endpoint,
        instructions,
        outputKey,
        tools: toolsets.length === 0 ? tools : tools.filter((id) => !isToolset(id)),
        ...withoutNulls({ toolsets: toolsets.length === 0 ? null : toolsets }),
        declarations:
          targets.length === 0 ? declarations : [...declarations, transferDeclaration(targets)],
        transferTargets: targets.map((target) => target.id),
        handoffText: targets.length === 0 ? null : handoffText(targets, parent),
        activity,
        ...withoutNulls({ fallback, routes, cacheMs, adk, byName, maxDurationMs, budget }),
        ...withoutNulls({ memoryService }),
        ...withoutNulls({ compaction: compactionOf(agent), guardrails: guardrailsOf(agent) }),
        expiresInMs,
        ...withoutNulls({ onExpiry }),
      }
    }
  }
}

export function toolDefinition(
  tool: ResolvedTool,
  machineOf: (target: AgentNode) => string,
): ToolDefinition {
  switch (tool.type) {
    case "ExitLoopTool":
      return { type: tool.type }
    case "FunctionTool": {
      const { type, service, requireConfirmation, expiresInMs, onExpiry, longRunning, factory } =
        tool
      return {
        type,
        service,
        outputKey: null,
        expiresInMs,
        ...withoutNulls({
          onExpiry,
          requireConfirmation: requireConfirmation || null,
          longRunning: longRunning || null,
          factory,
        }),
      }
    }
    case "Toolset": {
      const { type, service, toolFilter, prefix, expiresInMs, onExpiry, mcp } = tool
      const requireConfirmation = tool.requireConfirmation || null
      return {
        type,
        service,
        ...withoutNulls({
          toolFilter,
          prefix,
          requireConfirmation,
          expiresInMs,
          onExpiry,
          mcp,
          pageTools: tool.pageTools || null,
        }),
      }
    }
    case "HttpTool": {
      const { type, endpoint, outputKey, activity, expiresInMs, onExpiry } = tool
      const requireConfirmation = tool.requireConfirmation || null
      return {
        type,
        endpoint,
        outputKey,
        activity,
        expiresInMs,
        ...withoutNulls({ onExpiry, requireConfirmation }),
      }
    }
    case "AgentTool": {
      const { type, target, skipSummarization, outputKey, activity, expiresInMs, onExpiry } = tool
      return {
        type,
        targetAgent: target.id,
        machine: machineOf(target),
        skipSummarization,
        outputKey,
        activity,
        ...withoutNulls({ expiresInMs, onExpiry }),
      }
    }
  }
}

const noParameters = { type: "object", properties: {}, required: [] }

const requestParameter = {
  type: "object",
  properties: { request: { type: "string" } },
  required: ["request"],
}

/**
 * A tool whose name, description and parameters for the model are in the chart. The tools of a
 * toolset are only declared at run time.
 */
type DeclaredTool = Exclude<ResolvedTool, { type: "Toolset" }>

function toolDeclaration(tool: DeclaredTool): ToolDeclaration {
  const name = tool.type === "ExitLoopTool" ? exitLoop : tool.id
  return { type: "function", function: { name, ...describe(tool) } }
}

function describe(tool: DeclaredTool): Omit<ToolDeclaration["function"], "name"> {
  switch (tool.type) {
    case "HttpTool":
    case "FunctionTool":
      return {
        description: tool.description ?? tool.id,
        parameters: tool.parameters ?? noParameters,
      }
    case "ExitLoopTool":
      return {
        description: "Ends the loop. Call it only when you are told to.",
        parameters: noParameters,
      }
    case "AgentTool": {
      const inputSchema =
        tool.target.type === "LlmAgent" ? (tool.target.adk?.inputSchema ?? null) : null
      return {
        description: tool.target.description ?? tool.id,
        parameters: inputSchema ?? requestParameter,
      }
    }
  }
}

const listTargets = (targets: readonly AgentNode[]): string =>
  targets
    .map(
      ({ id, description }) => `Agent name: ${id}\nAgent description: ${description ?? "(none)"}`,
    )
    .join("\n\n")

function transferDeclaration(targets: readonly AgentNode[]): ToolDeclaration {
  return {
    type: "function",
    function: {
      name: transferTool,
      description: `Hands the conversation to another agent that fits the request better.\n\n${listTargets(targets)}`,
      parameters: {
        type: "object",
        properties: {
          agent_name: {
            type: "string",
            description: "The agent to hand over to.",
            enum: targets.map((target) => target.id),
          },
        },
        required: ["agent_name"],
      },
    },
  }
}

function handoffText(targets: readonly AgentNode[], parent: LlmAgentNode | null): string {
  const parentLine =
    parent !== null && targets.includes(parent)
      ? `\n\nYour parent agent is ${parent.id}. Hand back to it when no other agent fits.`
      : ""
  return `You may hand the conversation to one of these agents with the tool ${transferTool}:\n\n${listTargets(targets)}\n\nAnswer yourself when the request is yours; otherwise call ${transferTool} with the agent's name.${parentLine}`
}

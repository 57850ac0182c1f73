import type { OnExpiry } from "../../machines/contract/activity.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ToolDeclaration } from "../../machines/contract/services.js"
import { exitLoop } from "../../machines/model-call/built-in-tools.js"
import { transferTool } from "../../machines/model-call/built-in-tools.js"
import type { Expiry } from "../1-parse/fields/expiry.js"
import { expiryIn } from "../1-parse/fields/expiry.js"
import type { AgentNode, LlmAgentNode, ToolNode, Workflow } from "../2-resolve/agent-node.js"
import { hasOutputSchema } from "../2-resolve/agent-node.js"

/**
 * Returns the agents that an agent may hand off to: its children, its parent and its peers (docs/semantics.md#handoffs). An agent with an
 * output schema hands off to none, regardless of its flags.
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
  workflow: Workflow,
): AgentDefinition | null {
  switch (agent.type) {
    case "SequentialAgent":
    case "ParallelAgent":
    case "LoopAgent":
    case "CustomAgent":
    case "Workflow":
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
    case "JoinNode":
      return null
    case "HumanAgent": {
      const { type, description, prompt, outputKey } = agent
      return { type, description, prompt, outputKey, ...expiryIn(agent) }
    }
    case "LlmAgent": {
      const { type, description, model, endpoint, instructions, outputKey, tools, activity } = agent
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
        ...(toolsets.length === 0 ? {} : { toolsets }),
        declarations:
          targets.length === 0 ? declarations : [...declarations, transferDeclaration(targets)],
        transferTargets: targets.map((target) => target.id),
        handoffText: targets.length === 0 ? null : handoffText(targets, parent),
        activity,
        ...(agent.adk === null ? {} : { adk: agent.adk }),
        ...(agent.maxDurationMs !== undefined && { maxDurationMs: agent.maxDurationMs }),
        ...(agent.budget !== undefined && { budget: agent.budget }),
        ...expiryIn(agent),
      }
    }
  }
}

export function toolDefinition(
  tool: ToolNode,
  machineOf: (target: AgentNode) => string,
): ToolDefinition {
  if (tool.type === "ExitLoopTool") return { type: tool.type }
  if (tool.type === "FunctionTool") {
    const { service, requireConfirmation, longRunning, factory } = tool
    const waits = {
      ...(longRunning !== undefined && { longRunning }),
      ...(factory !== undefined && { factory }),
    }
    return {
      type: tool.type,
      service,
      outputKey: null,
      ...expiryIn(tool),
      ...(requireConfirmation ? { requireConfirmation } : {}),
      ...waits,
    }
  }
  if (tool.type === "Toolset") {
    const { type, service, toolFilter, prefix, requireConfirmation, mcp } = tool
    return {
      type,
      service,
      ...(toolFilter !== null && { toolFilter }),
      ...(prefix !== null && { prefix }),
      ...(requireConfirmation && { requireConfirmation }),
      ...givenExpiry(tool),
      ...(mcp !== null && { mcp }),
    }
  }
  const { outputKey, activity } = tool
  if (tool.type === "HttpTool") {
    const confirmation = tool.requireConfirmation ? { requireConfirmation: true as const } : {}
    return {
      type: tool.type,
      endpoint: tool.endpoint,
      outputKey,
      activity,
      ...expiryIn(tool),
      ...confirmation,
    }
  }
  const { target, skipSummarization } = tool
  return {
    type: tool.type,
    targetAgent: target.id,
    machine: machineOf(target),
    skipSummarization,
    outputKey,
    activity,
    ...givenExpiry(tool),
  }
}

/** Only where a tool has some: most of these never ask. */
const givenExpiry = ({
  expiresInMs,
  onExpiry,
}: Expiry): { readonly expiresInMs?: number; readonly onExpiry?: OnExpiry } => ({
  ...(expiresInMs !== null && { expiresInMs }),
  ...(onExpiry !== undefined && { onExpiry }),
})

const noParameters = { type: "object", properties: {}, required: [] }

const requestParameter = {
  type: "object",
  properties: { request: { type: "string" } },
  required: ["request"],
}

/** A tool that is declared by the chart; those of a toolset are declared when they are listed. */
type DeclaredTool = Exclude<ToolNode, { type: "Toolset" }>

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

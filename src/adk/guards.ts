import { AgentTool } from "./agents/agent-tool.js"
import { BaseAgent } from "./agents/base-agent.js"
import { LlmAgent } from "./agents/llm-agent.js"
import { RoutedAgent } from "./agents/routed-agent.js"
import { LoopAgent, ParallelAgent, SequentialAgent } from "./agents/workflow-agents.js"
import { Workflow } from "./graphs/workflow.js"
import { BaseNode } from "./nodes/base-node.js"
import { App } from "./runner/app.js"
import { BaseTool } from "./tools/base-tool.js"
import { BaseToolset } from "./tools/base-toolset.js"
import { FunctionTool } from "./tools/function-tool.js"

export const isApp = (value: unknown): value is App => value instanceof App
export const isAgentTool = (value: unknown): value is AgentTool => value instanceof AgentTool
export const isBaseAgent = (value: unknown): value is BaseAgent =>
  value instanceof BaseAgent && !(value instanceof Workflow)
export const isBaseNode = (value: unknown): value is BaseNode => value instanceof BaseNode
export const isBaseTool = (value: unknown): value is BaseTool => value instanceof BaseTool
export const isBaseToolset = (value: unknown): value is BaseToolset => value instanceof BaseToolset
export const isFunctionTool = (value: unknown): value is FunctionTool =>
  value instanceof FunctionTool
export const isLlmAgent = (value: unknown): value is LlmAgent => value instanceof LlmAgent
export const isLoopAgent = (value: unknown): value is LoopAgent => value instanceof LoopAgent
export const isParallelAgent = (value: unknown): value is ParallelAgent =>
  value instanceof ParallelAgent
export const isRoutedAgent = (value: unknown): value is RoutedAgent => value instanceof RoutedAgent
export const isSequentialAgent = (value: unknown): value is SequentialAgent =>
  value instanceof SequentialAgent
export const isWorkflow = (value: unknown): value is Workflow => value instanceof Workflow

import type { BaseAgent } from "../agents/base-agent.js"
import type { Description } from "../program/description.js"
import { describe } from "../program/description.js"
import { ChartedTool } from "./charted-tool.js"

export interface AgentToolConfig {
  readonly agent: BaseAgent
  /** Its result ends the caller's turn. */
  readonly skipSummarization?: boolean
}

/** An agent as a tool: it gets the request and nothing else of the conversation; its name and description are the tool's. */
export class AgentTool extends ChartedTool {
  readonly agent: BaseAgent
  readonly skipSummarization: boolean

  constructor({ agent, skipSummarization = false }: AgentToolConfig) {
    super({ name: agent.name, description: agent.description ?? "" })
    this.agent = agent
    this.skipSummarization = skipSummarization
  }

  override [describe](into: Description, usedBy: string): unknown {
    return into.agentTool(this, usedBy)
  }
}

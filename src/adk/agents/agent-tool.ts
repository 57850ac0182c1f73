import type { ProgramBuilder } from "../description/program-builder.js"
import { describe } from "../description/program-builder.js"
import { ChartedTool } from "../tools/charted-tool.js"
import type { BaseAgent } from "./base-agent.js"

export interface AgentToolConfig {
  readonly agent: BaseAgent
  /** Whether the result of the tool ends the turn of the calling agent. Default: false. */
  readonly skipSummarization?: boolean
}

/**
 * An agent as a tool. The agent receives the request of the call, but not the conversation of the
 * calling agent. The tool has the name and the description of the agent.
 */
export class AgentTool extends ChartedTool {
  readonly agent: BaseAgent
  readonly skipSummarization: boolean

  constructor({ agent, skipSummarization = false }: AgentToolConfig) {
    super({ name: agent.name, description: agent.description ?? "" })
    this.agent = agent
    this.skipSummarization = skipSummarization
  }

  override [describe](program: ProgramBuilder, usedBy: string): unknown {
    return program.agentTool(this, this, usedBy)
  }
}

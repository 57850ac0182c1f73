import type { ProgramBuilder } from "../description/program-builder.js"
import { checkOptions } from "../../machines/data/check-arguments.js"
import { refuse } from "../common/refuse.js"
import { describe } from "../description/program-builder.js"
import { ChartedTool } from "../tools/charted-tool.js"
import { BaseAgent } from "./base-agent.js"

export interface AgentToolConfig {
  readonly agent: BaseAgent
  /** If true, the turn of the calling agent ends with the result of this tool. Default: false. */
  readonly skipSummarization?: boolean
}

/**
 * A tool that runs an agent. The agent receives the request of the tool call, but not the
 * conversation of the calling agent. The tool has the agent's name and description.
 */
export class AgentTool extends ChartedTool {
  readonly agent: BaseAgent
  readonly skipSummarization: boolean

  constructor(config: AgentToolConfig) {
    if (config instanceof BaseAgent)
      refuse(
        `AgentTool received the agent "${config.name}" instead of options.`,
        `Pass the agent as an option: new AgentTool({ agent }).`,
      )
    checkOptions(config, {
      call: "AgentTool",
      example: "{ agent }",
      known: ["agent", "skipSummarization"],
    })
    const { agent, skipSummarization = false } = config
    // In JavaScript, the agent can be missing.
    if (typeof agent?.name !== "string")
      refuse("An AgentTool has no agent.", "Pass it: new AgentTool({ agent: writer }).")
    super({ name: agent.name, description: agent.description ?? "" })
    this.agent = agent
    this.skipSummarization = skipSummarization
  }

  override [describe](program: ProgramBuilder, usedBy: string): unknown {
    return program.agentTool(this, this, usedBy)
  }
}

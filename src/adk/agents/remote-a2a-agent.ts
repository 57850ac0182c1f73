import type { JsonObject } from "../../machines/data/json-object.js"
import type { RemoteA2AAgentData } from "../common/agent-options.js"
import { remoteA2AAgentData } from "../common/agent-options.js"
import { definedOptions } from "../common/defined-options.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The constructor options of a {@link RemoteA2AAgent} (docs/config.md#remotea2aagent). */
export interface RemoteA2AAgentConfig
  extends Pick<BaseAgentConfig, "name" | "description">, RemoteA2AAgentData {
  /** URL of the agent card, or of the server that serves the card under its well-known path. */
  readonly agentCard: string
}

/**
 * An agent that calls an agent on another server over the A2A protocol (docs/remote-agents.md).
 *
 * @example
 * const travel = new RemoteA2AAgent({ name: "travel", agentCard: "https://travel.example.com" })
 */
export class RemoteA2AAgent extends ChartedAgent {
  private readonly options: RemoteA2AAgentConfig

  constructor(config: RemoteA2AAgentConfig) {
    super(config, remoteA2AAgentData)
    this.options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "RemoteA2AAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...definedOptions(this.options, remoteA2AAgentData),
    }
  }
}

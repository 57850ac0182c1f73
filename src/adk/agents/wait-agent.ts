import type { JsonObject } from "../../machines/data/json-object.js"
import type { WaitAgentData } from "../common/agent-options.js"
import { waitAgentData } from "../common/agent-options.js"
import { definedOptions } from "../common/defined-options.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The constructor options of a {@link WaitAgent} (docs/config.md#waitagent). */
export interface WaitAgentConfig
  extends Pick<BaseAgentConfig, "name" | "description">, WaitAgentData {}

/**
 * An agent that waits for a duration or until a time. This class does not exist in ADK.
 *
 * @example
 * const pause = new WaitAgent({ name: "pause", duration: "24h" })
 * const reminder = new WaitAgent({ name: "reminder", until: "{appointment}" })
 */
export class WaitAgent extends ChartedAgent {
  private readonly options: WaitAgentConfig

  constructor(config: WaitAgentConfig) {
    super(config, waitAgentData)
    this.options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "WaitAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...definedOptions(this.options, waitAgentData),
    }
  }
}

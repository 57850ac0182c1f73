import type { JsonObject } from "../../machines/data/json-object.js"
import type { HumanAgentData } from "../common/agent-options.js"
import { humanAgentData } from "../common/agent-options.js"
import { definedOptions } from "../common/defined-options.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The constructor options of a {@link HumanAgent} (docs/config.md#humanagent). */
export interface HumanAgentConfig
  extends Pick<BaseAgentConfig, "name" | "description">, HumanAgentData {}

/**
 * An agent that asks a person a question and saves the answer. This class does not exist in ADK.
 *
 * @example
 * const editor = new HumanAgent({
 *   name: "editor",
 *   prompt: "Publish {title}?",
 *   choices: ["publish", "reject"],
 *   outputKey: "decision",
 * })
 */
export class HumanAgent extends ChartedAgent {
  private readonly options: HumanAgentConfig

  constructor(config: HumanAgentConfig) {
    super(config, humanAgentData)
    this.options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "HumanAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...definedOptions(this.options, humanAgentData),
    }
  }
}

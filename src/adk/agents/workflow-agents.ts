import type { JsonObject } from "../../machines/data/json-object.js"
import type { ParallelAgentData } from "../common/agent-options.js"
import { parallelAgentData } from "../common/agent-options.js"
import type { ForEachConfig } from "../common/setting-fields.js"
import { definedOptions } from "../common/defined-options.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** An agent that runs its sub-agents one after another. */
export class SequentialAgent extends ChartedAgent {
  override [describe](program: AgentProgramBuilder): JsonObject {
    return { agentClass: "SequentialAgent", ...describeAgent(this, program), ...this.otherOptions }
  }
}

/** The constructor options of a {@link ParallelAgent} (docs/semantics.md#parallel-blocks). */
export interface ParallelAgentConfig extends BaseAgentConfig, ParallelAgentData {}

/**
 * An agent that runs its sub-agents at the same time, each on its own copy of the state. The state
 * changes are merged in the order in which the sub-agents are declared.
 */
export class ParallelAgent extends ChartedAgent {
  readonly failurePolicy: ParallelAgentConfig["failurePolicy"]
  readonly maxConcurrency: number | undefined
  readonly forEach: ForEachConfig | undefined
  readonly completion: ParallelAgentConfig["completion"]
  readonly onEscalate: ParallelAgentConfig["onEscalate"]

  constructor(config: ParallelAgentConfig) {
    super(config, parallelAgentData)
    const { failurePolicy, maxConcurrency, forEach, completion, onEscalate } = config
    this.failurePolicy = failurePolicy
    this.maxConcurrency = maxConcurrency
    this.forEach = forEach
    this.completion = completion
    this.onEscalate = onEscalate
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "ParallelAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...definedOptions(this, parallelAgentData),
    }
  }
}

export interface LoopAgentConfig extends BaseAgentConfig {
  /** Maximum number of iterations. If it is not set, only the limits of the run apply. */
  readonly maxIterations?: number
}

/**
 * An agent that runs its sub-agents repeatedly, until one of them sets the action `escalate` or the
 * number of iterations reaches `maxIterations`.
 */
export class LoopAgent extends ChartedAgent {
  readonly maxIterations: number | undefined

  constructor({ maxIterations, ...config }: LoopAgentConfig) {
    super(config)
    this.maxIterations = maxIterations
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    return {
      agentClass: "LoopAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...(this.maxIterations !== undefined && { maxIterations: this.maxIterations }),
    }
  }
}

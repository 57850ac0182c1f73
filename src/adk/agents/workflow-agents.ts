import type { JsonObject } from "../../machines/data/json-object.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** Runs its sub-agents one after another. */
export class SequentialAgent extends ChartedAgent {
  override [describe](program: AgentProgramBuilder): JsonObject {
    return { agentClass: "SequentialAgent", ...describeAgent(this, program), ...this.otherOptions }
  }
}

export interface ParallelAgentConfig extends BaseAgentConfig {
  /**
   * What happens to the other branches when one branch fails (docs/semantics.md#parallel-blocks).
   * Default: `"fail-fast"`, as in ADK.
   */
  readonly failurePolicy?: "fail-fast" | "collect" | "wait-all"
  /** Maximum number of branches that run at the same time. Default: no limit. */
  readonly maxConcurrency?: number
}

/**
 * Runs its sub-agents at the same time, each on a copy of the state. The changes are merged in
 * declaration order.
 */
export class ParallelAgent extends ChartedAgent {
  readonly failurePolicy: ParallelAgentConfig["failurePolicy"]
  readonly maxConcurrency: number | undefined

  constructor({ failurePolicy, maxConcurrency, ...config }: ParallelAgentConfig) {
    super(config)
    this.failurePolicy = failurePolicy
    this.maxConcurrency = maxConcurrency
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { failurePolicy, maxConcurrency } = this
    return {
      agentClass: "ParallelAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...(failurePolicy !== undefined && { failurePolicy }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    }
  }
}

export interface LoopAgentConfig extends BaseAgentConfig {
  /** Maximum number of iterations. Default: no maximum, so only the limits of the run apply. */
  readonly maxIterations?: number
}

/** Repeats its sub-agents until one of them escalates or `maxIterations` is reached. */
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

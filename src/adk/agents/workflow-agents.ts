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
  /** Runs the only sub-agent once for each item of a list. */
  readonly forEach?: ForEachConfig
  /** When the block is finished. Default: `"all"`. */
  readonly completion?: "all" | "first-success" | { readonly quorum: number }
  /** Whether a sub-agent that escalates cancels the other branches. Default: `"finish"`. */
  readonly onEscalate?: "finish" | "cancel"
}

/** The items for which a {@link ParallelAgent} runs its sub-agent (docs/semantics.md#parallel-blocks-over-a-list). */
export interface ForEachConfig {
  /** A Python expression over `session_state` that returns the list of items. */
  readonly items: string
  /** State key of the item inside a branch. Default: `"item"`. */
  readonly as?: string
  /** The key that each branch writes, by the key that receives the list of these values. */
  readonly collect?: Readonly<Record<string, string>>
  /** Maximum number of items. Default: 1000. */
  readonly maxItems?: number
}

/**
 * Runs its sub-agents at the same time, each on a copy of the state. The changes are merged in
 * declaration order.
 */
export class ParallelAgent extends ChartedAgent {
  readonly failurePolicy: ParallelAgentConfig["failurePolicy"]
  readonly maxConcurrency: number | undefined
  readonly forEach: ForEachConfig | undefined
  readonly completion: ParallelAgentConfig["completion"]
  readonly onEscalate: ParallelAgentConfig["onEscalate"]

  constructor({
    failurePolicy,
    maxConcurrency,
    forEach,
    completion,
    onEscalate,
    ...config
  }: ParallelAgentConfig) {
    super(config)
    this.failurePolicy = failurePolicy
    this.maxConcurrency = maxConcurrency
    this.forEach = forEach
    this.completion = completion
    this.onEscalate = onEscalate
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { failurePolicy, maxConcurrency, forEach, completion, onEscalate } = this
    return {
      agentClass: "ParallelAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...(failurePolicy !== undefined && { failurePolicy }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      ...(forEach !== undefined && { forEach: { ...forEach } }),
      ...(completion !== undefined && { completion }),
      ...(onEscalate !== undefined && { onEscalate }),
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

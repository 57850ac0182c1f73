import type { ChartSettings } from "../../../machines/contract/agent-chart.js"
import type { Hooks } from "../../../machines/contract/agent-definition.js"
import type { Budget } from "../../../machines/contract/budget.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { AgentConfig, ToolConfig } from "./agent-config.js"
import type { Named } from "./named.js"

/**
 * A workflow config after parsing. Its references to agents and tools are still names, which the
 * next phase resolves.
 */
export interface WorkflowConfig {
  /** Id of the `adk` graph node that contains the config. null: the config is not in a graph. */
  readonly nodeId: string | null
  readonly root: Named | null
  /**
   * The agents of the config. null: the list could not be read, or none of its entries could. In
   * this case, references to agents are not checked.
   */
  readonly agents: readonly AgentConfig[] | null
  readonly tools: readonly ToolConfig[] | null
  /**
   * Whether agents may refer to tools that the config does not define. This is the case in ADK's
   * nested form, which has no list of tools.
   */
  readonly registeredTools: boolean
  /** Plugins of the workflow; empty in the graph-compose dialect. */
  readonly plugins: readonly PluginConfig[]
  /** Name of the model for agents without a model (adk dialect only). */
  readonly defaultModel: string | null
  readonly settings: WorkflowSettings
  readonly prompt: string | null
  readonly description: string | null
  readonly state: JsonObject
  readonly context: JsonObject
}

/** The settings of a config. A setting that the config does not have is null. */
export type WorkflowSettings = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] | null
}

export type SettingValues = Omit<ChartSettings, "maxDurationMs" | "budget"> & {
  readonly budget: Budget | null
  readonly subAgentExitFlow: "workflow" | "agent"
  /** Maximum duration in milliseconds; null: no limit. */
  readonly maxDuration: number | null
}

/**
 * A plugin: host functions that are called for every agent, in addition to the agent's own
 * callbacks.
 */
export interface PluginConfig {
  readonly hooks: Hooks
  /** Name of the service that allows or denies tool calls. null: the plugin has no policy. */
  readonly policy: string | null
  /**
   * Name of the registered plugin that is called for every hook. null: the plugin lists a service
   * for each of its hooks.
   */
  readonly registered: string | null
}

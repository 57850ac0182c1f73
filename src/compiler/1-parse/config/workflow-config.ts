import type { ChartSettings } from "../../../machines/contract/agent-chart.js"
import type { Hooks } from "../../../machines/contract/agent-definition.js"
import type { Budget } from "../../../machines/contract/budget.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { AgentConfig, Named, ToolConfig } from "./agent-config.js"

/** A config that was read but not resolved: its references are still names. */
export interface WorkflowConfig {
  /** Id of the `adk` node around the config. */
  readonly nodeId: string | null
  readonly root: Named | null
  /**
   * Null if the list, or each of its entries, could not be read. Then references are not checked.
   */
  readonly agents: readonly AgentConfig[] | null
  readonly tools: readonly ToolConfig[] | null
  /**
   * Whether agents may name tools that the config does not define. The nested form of ADK has no
   * list of tools.
   */
  readonly registeredTools: boolean
  /** Only in the adk dialect. */
  readonly plugins: readonly PluginConfig[]
  /** For agents without a model (adk). */
  readonly defaultModel: string | null
  readonly settings: WorkflowSettings
  readonly prompt: string | null
  readonly description: string | null
  readonly state: JsonObject
  readonly context: JsonObject
}

/** The settings of a config; null if the config does not have the setting. */
export type WorkflowSettings = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] | null
}

export type SettingValues = Omit<ChartSettings, "maxDurationMs" | "budget"> & {
  readonly budget: Budget | null
  readonly subAgentExitFlow: "workflow" | "agent"
  /** In milliseconds; null: no limit. */
  readonly maxDuration: number | null
}

/** Host functions that every agent has in addition to its own. */
export interface PluginConfig {
  readonly hooks: Hooks
  /** The service that decides on tool calls. */
  readonly policy: string | null
  /**
   * Name of the registered plugin that is called for every hook; null if the plugin names its
   * services one by one.
   */
  readonly registered: string | null
}

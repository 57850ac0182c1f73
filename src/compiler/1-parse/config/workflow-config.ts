import type { ChartSettings } from "../../../machines/contract/agent-chart.js"
import type { Hooks } from "../../../machines/contract/agent-definition.js"
import type { Budget } from "../../../machines/contract/budget.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { AgentConfig, ToolConfig } from "./agent-config.js"
import type { LocatedId } from "./named.js"

/**
 * A workflow config after parsing. It refers to agents and tools by name. The resolve phase of the
 * compiler replaces the names.
 */
export interface WorkflowConfig {
  /**
   * Id of the `adk` graph node that contains the config. Null if the config is not part of a graph.
   */
  readonly nodeId: string | null
  readonly root: LocatedId | null
  /**
   * The agents of the config. Null if the list, or every entry of it, is invalid. In this case,
   * references to agents are not checked.
   */
  readonly agents: readonly AgentConfig[] | null
  readonly tools: readonly ToolConfig[] | null
  /**
   * Whether agents may refer to tools that the config does not define. This is true for ADK's
   * nested form, which has no list of tools.
   */
  readonly registeredTools: boolean
  /** Plugins of the workflow. Empty in the graph-compose dialect. */
  readonly plugins: readonly PluginConfig[]
  /**
   * Name of the model for agents that have no model and do not inherit one (adk dialect only). Null
   * if there is no default model.
   */
  readonly defaultModel: string | null
  readonly settings: WorkflowSettings
  readonly prompt: string | null
  readonly description: string | null
  readonly state: JsonObject
  readonly context: JsonObject
}

/** The parsed settings of a workflow. A setting that is not in the config is null. */
export type WorkflowSettings = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] | null
}

export type SettingValues = Omit<ChartSettings, "maxDurationMs" | "budget"> & {
  readonly budget: Budget | null
  readonly subAgentExitFlow: "workflow" | "agent"
  /** Maximum duration of a run in milliseconds. Null means no limit. */
  readonly maxDuration: number | null
}

/**
 * A parsed plugin: host functions that are called for every agent, in addition to the agent's own
 * callbacks.
 */
export interface PluginConfig {
  readonly hooks: Hooks
  /** Name of the service that allows or denies tool calls. Null if the plugin has no policy. */
  readonly policy: string | null
  /**
   * Name of the registered plugin that receives all callbacks. Null if the plugin lists services
   * for individual callbacks, such as `beforeTool`.
   */
  readonly registered: string | null
}

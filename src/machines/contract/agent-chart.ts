import type { JsonObject } from "../data/json-object.js"
import type { AgentDefinition } from "./agent-definition.js"
import type { Budget } from "./budget.js"
import type { ChartMachine } from "./chart-machine.js"
import type { ChartStateValue } from "./chart-state-value.js"
import type { ToolDefinition } from "./tool-definition.js"

/**
 * A compiled workflow as plain JSON, which consists of XState machine configs and the settings of
 * agents and tools. You can store a chart, compare it, draw it, send it to a browser, or execute it
 * in another process. The compiler creates charts, and the runtime executes them.
 */
export interface AgentChart<StateValue extends ChartStateValue = ChartStateValue> {
  readonly formatVersion: 1
  /**
   * SHA-256 hash of the chart in hexadecimal. It covers all other fields except `node`. For
   * `charts` and `workflows`, it covers the fingerprints of these charts.
   */
  readonly fingerprint: string
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** Key in `machines` of the machine that a run starts. */
  readonly root: string
  readonly machines: Readonly<Record<string, ChartMachine>>
  readonly agents: Readonly<Record<string, AgentDefinition>>
  readonly tools: Readonly<Record<string, ToolDefinition>>
  readonly settings: ChartSettings
  /**
   * Host functions that you must register with the runner, by name. Absent if the chart needs none.
   */
  readonly services?: ChartServices
  /**
   * Default prompt and default initial state of a run. They are used if the caller passes no prompt
   * or no state.
   */
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** Values that the templates of endpoints can read as `context`. */
  readonly context: JsonObject
  /** Contains the type of the chart's state values for TypeScript. Never set at run time. */
  readonly types?: { readonly stateValue: StateValue }
  /**
   * Id of the graph node that runs this workflow. Absent if the workflow is not part of a graph.
   */
  readonly node?: string
  /**
   * Charts of the workflows that the adk nodes of a graph run. `ChartTaskWorkflow.chart` contains
   * the key of a node's chart. Absent if there are none.
   */
  readonly charts?: Readonly<Record<string, AgentChart>>
  /**
   * Charts of the workflow files that WorkflowAgents call, by file path. Absent if there are none.
   * Workflows that are called by name are not included, because the runner provides them.
   */
  readonly workflows?: Readonly<Record<string, AgentChart>>
}

/** The host functions that a chart needs, by name, with the purpose of each function. */
export interface ChartServices {
  readonly [name: string]: ChartServiceUse & {
    /**
     * The other purposes of a function with several purposes, such as tool and callback. Each entry
     * contains the first agent that uses the function for this purpose. Absent if there is only one
     * purpose.
     */
    readonly also?: readonly ChartServiceUse[]
  }
}

export interface ChartServiceUse {
  readonly kind:
    | "agent"
    | "machine"
    | "callback"
    | "guardrail"
    | "tool"
    | "node"
    | "router"
    | "instruction"
    | "policy"
    | "toolset"
    | "plugin"
    | "schema"
  /** Id of the first agent that uses the function for the purpose `kind`. */
  readonly usedBy: string
}

export interface ChartSettings {
  readonly maxModelCalls: number
  readonly maxModelCallsPerTurn: number
  readonly maxOrchestrationCycles: number
  readonly maxHandoffs: number
  /**
   * Maximum duration of a run in milliseconds. In the adk dialect, it applies to each invocation.
   * If absent, there is no limit.
   */
  readonly maxDurationMs?: number
  /**
   * Budget for all model calls of a run together. If absent, only `maxModelCalls` limits the model
   * calls.
   */
  readonly budget?: Budget
  readonly onConditionError: "fail" | "continue"
  readonly stateMerge: Readonly<Record<string, MergeRule>>
}

export type MergeRule = "replace" | "append" | "add" | "max" | "min" | "union"

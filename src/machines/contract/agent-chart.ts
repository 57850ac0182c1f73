import type { JsonObject } from "../data/json-object.js"
import type { AgentDefinition } from "./agent-definition.js"
import type { Budget } from "./budget.js"
import type { ChartMachine } from "./chart-machine.js"
import type { ChartStateValue } from "./chart-state-value.js"
import type { ToolDefinition } from "./tool-definition.js"

/**
 * A compiled workflow: plain JSON that can be stored, diffed, drawn, sent to a browser and resumed
 * elsewhere. The compiler creates charts and the runtime executes them. Neither imports the other.
 */
export interface AgentChart<StateValue extends ChartStateValue = ChartStateValue> {
  readonly formatVersion: 1
  /**
   * SHA-256 hash of the other fields of the chart, in hexadecimal. Charts with the same fingerprint
   * behave in the same way.
   */
  readonly fingerprint: string
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** Key of the machine with which a run starts. */
  readonly root: string
  readonly machines: Readonly<Record<string, ChartMachine>>
  readonly agents: Readonly<Record<string, AgentDefinition>>
  readonly tools: Readonly<Record<string, ToolDefinition>>
  readonly settings: ChartSettings
  /** Host functions that the runner must register; absent if there are none. */
  readonly services?: ChartServices
  /** Default input of a run, used if the caller passes none. */
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** Values that templates can read as `context`. */
  readonly context: JsonObject
  /** Carries the type of the state values of the chart. It never has a value. */
  readonly types?: { readonly stateValue: StateValue }
  /** Id of the graph node that contains the workflow; absent outside graphs. */
  readonly node?: string
  /** Charts of the workflows in the adk nodes of a graph; absent if there are none. */
  readonly charts?: Readonly<Record<string, AgentChart>>
  /**
   * Charts of the workflows that WorkflowAgents call by file, by path. Absent if there are none.
   * Workflows that are called by name are not part of the chart.
   */
  readonly workflows?: Readonly<Record<string, AgentChart>>
}

/** Host functions that a chart needs, by name. */
export interface ChartServices {
  readonly [name: string]: ChartServiceUse & {
    /**
     * Other kinds of use of the function, each with the first agent that uses it in this way.
     * Absent if there is only one kind of use.
     */
    readonly also?: readonly ChartServiceUse[]
  }
}

export interface ChartServiceUse {
  readonly kind:
    | "agent"
    | "machine"
    | "callback"
    | "tool"
    | "node"
    | "router"
    | "instruction"
    | "policy"
    | "toolset"
    | "plugin"
    | "schema"
  /** Id of the first agent that needs the function. */
  readonly usedBy: string
}

export interface ChartSettings {
  readonly maxModelCalls: number
  readonly maxModelCallsPerTurn: number
  readonly maxOrchestrationCycles: number
  readonly maxHandoffs: number
  /**
   * Maximum duration of a run, or of each of its invocations, in milliseconds; absent: no limit.
   */
  readonly maxDurationMs?: number
  /** Budget for all model calls of a run; absent: only `maxModelCalls` limits the run. */
  readonly budget?: Budget
  readonly onConditionError: "fail" | "continue"
  readonly stateMerge: Readonly<Record<string, MergeRule>>
}

export type MergeRule = "replace" | "append" | "add" | "max" | "min" | "union"

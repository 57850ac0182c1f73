import type { JsonObject } from "../data/json-object.js"
import type { AgentDefinition } from "./agent-definition.js"
import type { Budget } from "./budget.js"
import type { ChartMachine } from "./chart-machine.js"
import type { ChartStateValue } from "./chart-state-value.js"
import type { ToolDefinition } from "./tool-definition.js"

/**
 * A compiled workflow as plain JSON. A chart can be stored, compared, drawn, sent to a browser, or
 * executed in another process. The compiler creates charts, and the runtime executes them.
 */
export interface AgentChart<StateValue extends ChartStateValue = ChartStateValue> {
  readonly formatVersion: 1
  /**
   * SHA-256 hash of all other fields of the chart, in hexadecimal. Two charts with the same
   * fingerprint are equal, so they behave in the same way.
   */
  readonly fingerprint: string
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** Key in `machines` of the machine with which a run starts. */
  readonly root: string
  readonly machines: Readonly<Record<string, ChartMachine>>
  readonly agents: Readonly<Record<string, AgentDefinition>>
  readonly tools: Readonly<Record<string, ToolDefinition>>
  readonly settings: ChartSettings
  /** Host functions that the runner must register, by name. Absent if the chart needs none. */
  readonly services?: ChartServices
  /**
   * Default prompt and default initial state of a run. Used for values that the caller does not
   * pass.
   */
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** Values that templates can read as `context`. */
  readonly context: JsonObject
  /**
   * Exists only for TypeScript: contains the type of the chart's state values. Never set at run
   * time.
   */
  readonly types?: { readonly stateValue: StateValue }
  /** Id of the graph node that contains the workflow; absent if the workflow is not in a graph. */
  readonly node?: string
  /** Charts of the workflows that the graph's adk nodes run, by key. Absent if there are none. */
  readonly charts?: Readonly<Record<string, AgentChart>>
  /**
   * Charts of the workflow files that WorkflowAgents call. The keys are the paths of the files.
   * Absent if there are none. Workflows that are called by name are not included: the runner
   * provides them.
   */
  readonly workflows?: Readonly<Record<string, AgentChart>>
}

/** Host functions that a chart needs, by name. */
export interface ChartServices {
  readonly [name: string]: ChartServiceUse & {
    /**
     * Set if the chart uses the function for several purposes, such as tool and callback. Contains
     * the other purposes, each with the first agent that has it.
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
  /** Budget for all model calls of a run. Absent: only `maxModelCalls` limits the model calls. */
  readonly budget?: Budget
  readonly onConditionError: "fail" | "continue"
  readonly stateMerge: Readonly<Record<string, MergeRule>>
}

export type MergeRule = "replace" | "append" | "add" | "max" | "min" | "union"

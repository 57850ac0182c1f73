import type { Budget } from "./budget.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"
import type { JsonObject } from "../data/json-object.js"
import type { HookUse } from "./hook-use.js"
import type { McpConnection } from "./mcp-connection.js"

/**
 * A compiled workflow: plain JSON that can be stored, diffed, drawn, sent to a browser and resumed
 * elsewhere. The compiler creates charts and the runtime executes them. Neither imports the other.
 */
export interface AgentChart {
  readonly formatVersion: 1
  /** SHA-256 of the rest of the chart, in hex. Charts with the same fingerprint behave the same. */
  readonly fingerprint: string
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** Key of the machine that a run starts with. */
  readonly root: string
  readonly machines: Readonly<Record<string, ChartMachine>>
  readonly agents: Readonly<Record<string, AgentDefinition>>
  readonly tools: Readonly<Record<string, ToolDefinition>>
  readonly settings: ChartSettings
  /** Host functions that the runner must register; absent if there are none. */
  readonly services?: ChartServices
  /** Default input of a run. */
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** Values that templates can read as `context`. */
  readonly context: JsonObject
}

/** Host functions that a chart needs, by name. */
export interface ChartServices {
  readonly [name: string]: ChartServiceUse & {
    /**
     * Further kinds of use, each with the first agent that uses it; absent if there is only one
     * use.
     */
    readonly also?: readonly ChartServiceUse[]
  }
}

export interface ChartServiceUse {
  readonly kind:
    | "agent"
    | "callback"
    | "tool"
    | "node"
    | "router"
    | "instruction"
    | "policy"
    | "toolset"
    | "plugin"
    | "schema"
  /** The first agent that needs it. */
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
  /** Budget of all model calls of a run; absent: only `maxModelCalls` applies. */
  readonly budget?: Budget
  readonly onConditionError: "fail" | "continue"
  readonly stateMerge: Readonly<Record<string, MergeRule>>
}

export type MergeRule = "replace" | "append" | "add" | "max" | "min" | "union"

/**
 * What happens if a request expires without an answer. If absent on a definition, the default of
 * the request kind applies.
 */
export type OnExpiry = "reject" | "fail" | "continue"

/** The settings of an agent that its calls need. */
export type AgentDefinition =
  | {
      readonly type: "LlmAgent"
      readonly description: string | null
      readonly model: string | null
      readonly endpoint: HttpEndpoint | null
      readonly instructions: string | null
      readonly outputKey: string | null
      /** Ids of the tools that the agent can call. */
      readonly tools: readonly string[]
      /** Ids of its toolsets in `tools` of the chart; absent if there are none. */
      readonly toolsets?: readonly string[]
      /** All tool declarations for the model, including `transfer_to_agent`. */
      readonly declarations: readonly ToolDeclaration[]
      /** Ids of the agents that it can hand off to. */
      readonly transferTargets: readonly string[]
      /** Text about the transfer targets for the system message; null if there are none. */
      readonly handoffText: string | null
      readonly activity: Activity
      /** Only in the adk dialect. */
      readonly adk?: AdkDefinition
      /** Maximum duration of a turn, in milliseconds; absent: no limit. */
      readonly maxDurationMs?: number
      /** Budget of the model calls in all of its turns together. */
      readonly budget?: Budget
      /** How long its requests for approval and input stay open, in milliseconds. */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }
  | {
      readonly type: "HumanAgent"
      readonly description: string | null
      readonly prompt: string | null
      readonly outputKey: string | null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
    }

export type ToolDefinition =
  | { readonly type: "ExitLoopTool" }
  | {
      /** A host function as a tool (adk). */
      readonly type: "FunctionTool"
      readonly service: string
      readonly outputKey: null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly requireConfirmation?: true
      /** The function returns a ticket. Its result is delivered later. */
      readonly longRunning?: true
      /** Arguments for a service that creates several tools. */
      readonly factory?: JsonObject
    }
  | ToolsetDefinition
  | {
      readonly type: "HttpTool"
      readonly endpoint: HttpEndpoint
      readonly outputKey: string | null
      readonly activity: Activity
      /** How long a long-running call or a consent stays open, in milliseconds. */
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      /** Only in the adk dialect: a person has to approve each call. */
      readonly requireConfirmation?: true
    }
  | {
      readonly type: "AgentTool"
      readonly targetAgent: string
      /** Key of the machine that runs the target. */
      readonly machine: string
      readonly skipSummarization: boolean
      readonly outputKey: string | null
      readonly activity: Activity
      /**
       * How long a request for approval of a call stays open, in milliseconds; absent: no limit.
       */
      readonly expiresInMs?: number
      readonly onExpiry?: OnExpiry
    }

/** Tools that are listed at run time, once in each turn of an agent with this toolset (adk). */
export interface ToolsetDefinition {
  readonly type: "Toolset"
  readonly service: string
  /** Names of the tools that agents can use, without the prefix; absent: all tools. */
  readonly toolFilter?: readonly string[]
  /** The model sees the tools as `prefix_name`. */
  readonly prefix?: string
  readonly requireConfirmation?: true
  /**
   * How long a confirmation of one of its tools, or a long-running call, stays open, in
   * milliseconds; absent: no limit.
   */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** Connection to the MCP server that provides the tools. */
  readonly mcp?: McpConnection
}

/**
 * Fields that only an LlmAgent of the adk dialect has (docs/semantics.md#instructions,
 * docs/semantics.md#callbacks).
 */
export interface AdkDefinition {
  /** A template over the session state: `{key}`, `{key?}`, `{artifact.name}`. */
  readonly instruction: string | null
  /** Sent unchanged as the system message. The instruction is then sent in the user message. */
  readonly staticInstruction: string | null
  /** Template of the root agent that precedes the instruction of every agent. */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /** JSON schema of the final text. The text is parsed and saved as a value. */
  readonly outputSchema: JsonObject | null
  /** JSON schema of the arguments if the agent is called as an AgentTool. */
  readonly inputSchema: JsonObject | null
  /**
   * Whether the agent has both tools and a schema. If the final text is invalid, the model is
   * asked once more.
   */
  readonly structuredOutputWithTools: boolean
  readonly generateContentConfig: JsonObject | null
  /** Host function that returns the instruction. The result is not a template. */
  readonly instructionService?: string
  /** Host function that returns the global instruction. The result is not a template. */
  readonly globalInstructionService?: string
  /**
   * Callbacks by hook. Callbacks of plugins come before those of the agent. Absent if there are
   * none.
   */
  readonly hooks?: Hooks
  /** Policy engines. Each one is called once per tool call. */
  readonly policies?: readonly string[]
}

/** Names of services in call order: the first result wins (docs/semantics.md#callbacks). */
export interface Hooks {
  readonly beforeAgent?: readonly HookUse[]
  readonly afterAgent?: readonly HookUse[]
  readonly beforeModel?: readonly HookUse[]
  readonly afterModel?: readonly HookUse[]
  readonly onModelError?: readonly HookUse[]
  readonly beforeTool?: readonly HookUse[]
  readonly afterTool?: readonly HookUse[]
  readonly onToolError?: readonly HookUse[]
}

/** Timeouts and retries of one call, in milliseconds (docs/semantics.md#retries). */
export interface Activity {
  readonly startToCloseMs: number | null
  readonly scheduleToCloseMs: number | null
  readonly maximumAttempts: number
  readonly initialIntervalMs: number
  readonly backoffCoefficient: number
  readonly maximumIntervalMs: number | null
}

/** An XState machine config as JSON: guards, actions and actors are names with params. */
export interface ChartMachine {
  readonly id: string
  readonly initial: string
  readonly meta: { readonly kind: "orchestration"; readonly agent: string }
  readonly on?: Readonly<Record<string, Transitions>>
  readonly states: Readonly<Record<string, ChartState>>
}

export interface ChartState {
  readonly type?: "parallel" | "final"
  readonly initial?: string
  readonly meta?: StateMeta
  readonly tags?: readonly string[]
  readonly entry?: readonly NamedAction[]
  readonly exit?: readonly NamedAction[]
  readonly invoke?: ChartInvoke
  readonly on?: Readonly<Record<string, Transitions>>
  readonly always?: Transitions
  readonly onDone?: Transitions
  readonly states?: Readonly<Record<string, ChartState>>
}

export interface ChartInvoke {
  /** Derived from the place of the agent; unique in the machine. */
  readonly id: string
  /** `llmAgent`, `humanAgent`, `fan`, or the key of a machine of this chart. */
  readonly src: string
  readonly input: JsonObject
  readonly onDone: Transitions
}

export type Transitions = readonly ChartTransition[]

export interface ChartTransition {
  /** `#machine.state.inner`, an absolute state id. */
  readonly target?: string
  readonly guard?: NamedGuard
  readonly actions?: readonly NamedAction[]
  readonly reenter?: boolean
}

export interface NamedAction {
  readonly type: string
  readonly params?: JsonObject
}

export type NamedGuard = NamedAction

/** Metadata on the state of each agent. Actions refer to it by `place`. */
export interface StateMeta {
  readonly agent: string
  readonly kind: AgentKind
  /** Path of the state in the machine: its state keys, joined by dots. */
  readonly place: string
  /**
   * `pipeline/rounds[*]/writer`: each `[*]` stands for the iteration of the loop named in `loops`.
   */
  readonly path: string
  /** Places that the `[*]` of the path count, if custom agents count too and not only loops. */
  readonly counters?: readonly string[]
  /** Places of the loops around it in this machine, outermost first. */
  readonly loops: readonly string[]
  /**
   * Place of the innermost enclosing parallel branch, `""` for none. The agent reads and writes
   * the state of this branch.
   */
  readonly scope: string
  /** Branch name, starting at the root of this machine; null outside branches. */
  readonly branch: string | null
  readonly outputKey?: string
  /** Set on a handoff team. Its states are the members, including the agent itself. */
  readonly team?: true
  /** Set on a state that wraps an agent and its callbacks. The agent is one of its states. */
  readonly callbacks?: true
  /** Branches of a parallel block, in declaration order. */
  readonly branches?: readonly { readonly scope: string; readonly agent: string }[]
  readonly failurePolicy?: FailurePolicy
}

export type FailurePolicy = "fail-fast" | "collect" | "wait-all"

export type AgentKind =
  | "LlmAgent"
  | "HumanAgent"
  | "CustomAgent"
  | "SequentialAgent"
  | "ParallelAgent"
  | "LoopAgent"
  | "Workflow"
  | "FunctionNode"
  | "RouterNode"
  | "ToolNode"
  | "JoinNode"

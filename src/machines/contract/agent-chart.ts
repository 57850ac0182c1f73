import type { Budget } from "./budget.js"
import type { HttpEndpoint, ToolDeclaration } from "./services.js"
import type { JsonObject } from "../data/json-object.js"
import type { HookUse } from "./hook-use.js"
import type { McpConnection } from "./mcp-connection.js"

/**
 * A compiled workflow: plain JSON that can be stored, diffed, drawn, sent to a browser and resumed elsewhere.
 * The compiler writes it, the runtime reads it, and neither knows the other.
 */
export interface AgentChart {
  readonly formatVersion: 1
  /** SHA-256 over the rest of the chart, in hex: two charts with one fingerprint mean the same. */
  readonly fingerprint: string
  readonly id: string
  readonly dialect: "graph-compose" | "adk"
  /** Key of the machine that a run starts with. */
  readonly root: string
  readonly machines: Readonly<Record<string, ChartMachine>>
  readonly agents: Readonly<Record<string, AgentDefinition>>
  readonly tools: Readonly<Record<string, ToolDefinition>>
  readonly settings: ChartSettings
  /** Host code that the runner has to have; absent where there is none. */
  readonly services?: ChartServices
  /** What a run starts with unless it is given something else. */
  readonly input: { readonly prompt: string | null; readonly state: JsonObject }
  /** `context` for templates. */
  readonly context: JsonObject
}

/** What a chart needs from the runner by name, besides models: host code. */
export interface ChartServices {
  readonly [name: string]: ServiceUse & {
    /** What else it is used as, each with the first agent that does; absent where it has one use. */
    readonly also?: readonly ServiceUse[]
  }
}

export interface ServiceUse {
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
  /** How long a run may take, or each of its invocations; absent: for ever. */
  readonly maxDurationMs?: number
  /** What all model calls of a run may use; absent: no more than `maxModelCalls` says. */
  readonly budget?: Budget
  readonly onConditionError: "fail" | "continue"
  readonly stateMerge: Readonly<Record<string, MergeRule>>
}

export type MergeRule = "replace" | "append" | "add" | "max" | "min" | "union"

/** What it means when nobody has answered a request in time; absent on a definition: what is usual for the kind of request. */
export type OnExpiry = "reject" | "fail" | "continue"

/** What the calls of an agent's service need. */
export type AgentDefinition =
  | {
      readonly type: "LlmAgent"
      readonly description: string | null
      readonly model: string | null
      readonly endpoint: HttpEndpoint | null
      readonly instructions: string | null
      readonly outputKey: string | null
      /** Ids of the tools that it may call. */
      readonly tools: readonly string[]
      /** Ids of its toolsets, among `tools` of the chart; absent where it has none. */
      readonly toolsets?: readonly string[]
      /** Everything that is declared to the model, `transfer_to_agent` included. */
      readonly declarations: readonly ToolDeclaration[]
      /** Agents that it may hand off to. */
      readonly transferTargets: readonly string[]
      /** What the system text says of them; null where there are none. */
      readonly handoffText: string | null
      readonly activity: Activity
      /** Only in the adk dialect. */
      readonly adk?: AdkDefinition
      /** How long a turn may take, in milliseconds; absent: for ever. */
      readonly maxDurationMs?: number
      /** What its model calls may use in all of its turns together. */
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
      /** Host code as a tool (adk). */
      readonly type: "FunctionTool"
      readonly service: string
      readonly outputKey: null
      readonly expiresInMs: number | null
      readonly onExpiry?: OnExpiry
      readonly requireConfirmation?: true
      /** What it returns is a ticket: the result is delivered later. */
      readonly longRunning?: true
      /** What the service makes the tool from, where it makes several. */
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
      /** How long a request for approval of a call stays open, in milliseconds; absent: for ever. */
      readonly expiresInMs?: number
      readonly onExpiry?: OnExpiry
    }

/** Tools that are known only when they are asked for, once in each turn of an agent that has it (adk). */
export interface ToolsetDefinition {
  readonly type: "Toolset"
  readonly service: string
  /** Names of the tools that agents get, as the toolset itself calls them; absent: all. */
  readonly toolFilter?: readonly string[]
  /** Models know its tools as `prefix_name`. */
  readonly prefix?: string
  readonly requireConfirmation?: true
  /** How long a confirmation of one of its tools, or a long-running call, stays open, in milliseconds; absent: for ever. */
  readonly expiresInMs?: number
  readonly onExpiry?: OnExpiry
  /** Where an MCP server is to be reached, for a runner that makes the toolset from it. */
  readonly mcp?: McpConnection
}

/** Fields that only an LlmAgent of the adk dialect has (docs/semantics.md#instructions, docs/semantics.md#callbacks). */
export interface AdkDefinition {
  /** A template over the session state: `{key}`, `{key?}`, `{artifact.name}`. */
  readonly instruction: string | null
  /** Sent as the system text word by word; the instruction then stands in the user's turn. */
  readonly staticInstruction: string | null
  /** The root's template that stands before every agent's own instruction. */
  readonly globalInstruction: string | null
  readonly includeContents: "default" | "none"
  /** JSON schema of the final text, which is then saved as the value it holds. */
  readonly outputSchema: JsonObject | null
  /** JSON schema of what the agent is given by an AgentTool. */
  readonly inputSchema: JsonObject | null
  /** Whether a final text that breaks the schema is sent back once, as tools stand beside the schema. */
  readonly structuredOutputWithTools: boolean
  readonly generateContentConfig: JsonObject | null
  /** Host code that gives the instruction instead; its text is no template. */
  readonly instructionService?: string
  /** Host code that gives the global instruction instead; its text is no template either. */
  readonly globalInstructionService?: string
  /** Callbacks by the moment at which they are called, plugins before the agent's own. Absent where there are none. */
  readonly hooks?: Hooks
  /** Policy engines that are asked once for each tool call. */
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
  readonly meta?: PlaceMeta
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
  /** From the agent's place; unique in the machine. */
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

/** On the state of every agent: who stands there. Actions refer to it by `place`. */
export interface PlaceMeta {
  readonly agent: string
  readonly kind: AgentKind
  /** Unique in the machine; the state's keys, joined by dots. */
  readonly place: string
  /** `pipeline/rounds[*]/writer`: each `[*]` stands for the iteration of the loop named in `loops`. */
  readonly path: string
  /** What the `[*]` of the path stand for, where that is not just the loops: places of loops and of host code. */
  readonly counters?: readonly string[]
  /** Places of the loops around it in this machine, outermost first. */
  readonly loops: readonly string[]
  /** Place of the innermost parallel branch around it, `""` for none: whose state it reads and writes. */
  readonly scope: string
  /** Branch name from this machine's root on, null for none. */
  readonly branch: string | null
  readonly outputKey?: string
  /** On a handoff team: the state holds its members, the agent itself is one of them. */
  readonly team?: true
  /** On a state around an agent in which its callbacks stand; the agent itself is one of its states. */
  readonly callbacks?: true
  /** On a parallel block: its branches in declaration order. */
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

// The JSON that the server and the page of the studio exchange.
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import type { PendingRequest } from "../machines/contract/pending-request.js"
import type { Envelope, ModelRequest, ToolRequest } from "../machines/contract/services.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { RunAt } from "../runtime/history/snapshot-at.js"
import type { ErrorBody } from "../serving/http-error.js"
import type { HubRun } from "../serving/run-details.js"

/** A workflow file of the workspace. */
export interface StudioFile {
  /** Path relative to the folder of the workspace, with `/`. */
  readonly path: string
  /** The name that the config states. Default: the name of the file or of its folder. */
  readonly name: string
  readonly description: string | null
  /** Path of the workflow that includes this file; null for other files. */
  readonly partOf: string | null
  /** Name of the file next to it with responses for its models and tools; null if there is none. */
  readonly scenario: string | null
  /** The module next to it with host functions; null if there is none. */
  readonly module: StudioModule | null
}

/** A module with host functions next to a workflow. It is code, so a user must allow its use. */
export interface StudioModule {
  readonly name: string
  readonly isAllowed: boolean
}

/** A workflow file with its text. */
export interface FileWithText extends StudioFile {
  readonly text: string
  /** The outermost workflow that includes the file; null for other files. A run starts this workflow. */
  readonly root: Pick<StudioFile, "path" | "name"> | null
}

/** The object of a text that defines an agent. Line and column are those of its start. */
export interface AgentPlace {
  /** Offset of the first character. */
  readonly from: number
  /** Offset after the last character. */
  readonly to: number
  readonly line: number
  readonly column: number
}

/** The result of compiling a text. */
export interface CompiledText {
  /** The places of agents in the text, by name. */
  readonly places: Readonly<Record<string, AgentPlace>>
  readonly diagnostics: readonly Diagnostic[]
  /** The drawing of the chart. null if the text has errors. */
  readonly svg: string | null
  /** Id of the chart. null if the text has errors. */
  readonly chart: string | null
  /** The first user message that the config contains. */
  readonly prompt: string | null
  /** JSON Schema of the first message, if the root agent has one. */
  readonly inputSchema: MessageSchema | null
  /** The agents whose settings a run can override. */
  readonly agents: readonly OverridableAgent[]
  /** The services that a run needs, each as kind and name: `tool refund`. */
  readonly needs: readonly string[]
  /** Descriptions of the services that a run needs and that are missing. */
  readonly missing: readonly string[]
}

/** A JSON Schema of the first message. */
export type MessageSchema = Readonly<Record<string, unknown>>

/** The settings of an LlmAgent that a run can override. Absent settings cannot be overridden. */
export interface OverridableAgent {
  readonly id: string
  readonly model?: string
  readonly instruction?: string
  /** null if the config does not set it. */
  readonly temperature?: number | null
}

/** Other settings of agents for one run, by agent id. */
export type AgentOverrides = Readonly<
  Record<
    string,
    {
      readonly model?: string | undefined
      readonly instruction?: string | undefined
      readonly temperature?: number | undefined
    }
  >
>

/** How a chart is drawn. */
export interface DrawingOptions {
  readonly detail?: "agents" | "ways" | "all" | "statechart"
  readonly direction?: "down" | "right"
  readonly legend?: boolean
  /** Ids of agents and states that are drawn in any case. */
  readonly open?: readonly string[]
}

/** A drawing with options. null if the text has errors. */
export interface DrawnText {
  readonly svg: string | null
}

/** The fields or values that can be at the cursor of the editor. They replace a range. */
export interface EditorCompletions {
  readonly from: number
  readonly to: number
  readonly options: readonly EditorOption[]
}

export interface EditorOption {
  readonly label: string
  /** The meaning of a field. Empty for values. */
  readonly description: string
  /** The text that replaces the range and its quotes. */
  readonly insert: string
}

/** The meaning of the field in a range of the editor. */
export interface EditorHover {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly description: string
}

/** A run of the journal, as the sidebar lists it. */
export type StudioRun = HubRun

/** A run in the history of a workflow. */
export interface HistoryRun extends StudioRun {
  /** Time between the first and the last event. */
  readonly durationMs: number
  /** Sum of the tokens of all responses that contain them; null if no response contains them. */
  readonly tokens: number | null
  /** null if no price is known. */
  readonly cost: number | null
}

/** A run with its drawing and its origin. */
export interface RunWithChart extends StudioRun {
  readonly svg: string
  /** The workflow file that the run was started from. */
  readonly file: string | null
  readonly prompt: string | null
  readonly forkedFrom: { readonly runId: string; readonly at: number } | null
  /** The run that has started the run with a WorkflowAgent, and the path of the call in it. */
  readonly caller: { readonly runId: string; readonly path: string } | null
  /** The policies of the run, and whether offending calls are stopped. null if it has none. */
  readonly policies: { readonly enforce: boolean; readonly names: readonly string[] } | null
  /** The violated policy whose counterexample the run plays, and the event that violates it. */
  readonly counterexample: {
    readonly policy: string
    readonly file: string
    readonly line: number
    readonly seq: number
  } | null
}

/** A run after one of its records, with the number of events emitted until then. */
export type StudioSnapshot = Omit<RunAt, "events" | "record"> & { readonly seen: number }

/** One attempt of a call, as the records of its run contain it. */
export interface CallAttempt {
  readonly attempt: number
  /** The request that the service received. */
  readonly request: ModelRequest | ToolRequest
  /** The raw response or the error; null if the call was stopped or is in flight. */
  readonly result: Envelope | null
}

/** The body of the request that starts a run. */
export interface StartRequest {
  /** The edited file. A run of a file that a workflow includes starts this workflow. */
  readonly file: string
  /** The text in the editor. */
  readonly text: string
  readonly prompt?: string
  readonly state?: Readonly<Record<string, unknown>>
  /** Whether the scenario next to the file responds instead of models and tools. */
  readonly scripted?: boolean
  readonly overrides?: AgentOverrides
}

export type { Envelope, ModelRequest, ToolRequest }
export type { Diagnostic, PendingRequest, ErrorBody, RunEvent, RunResult }

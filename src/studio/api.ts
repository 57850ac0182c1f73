// The JSON that the server and the page of the studio exchange.
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import type { PendingRequest } from "../machines/contract/pending-request.js"
import type { Envelope, ModelRequest, ToolRequest } from "../machines/contract/services.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { AgentAt } from "../runtime/history/agent-positions.js"
import type { RunAt } from "../runtime/history/snapshot-at.js"
import type { ErrorBody } from "../serving/http-error.js"
import type { HubRun } from "../serving/run-details.js"

/** A workflow file in the workspace, which is the folder that the studio shows. */
export interface StudioFile {
  /** Path relative to the workspace folder, with `/` as separator. */
  readonly path: string
  /** The name that the config defines. Default: the name of the file, or of its folder. */
  readonly name: string
  readonly description: string | null
  /** Path of the workflow that includes this file; null if no other workflow includes it. */
  readonly partOf: string | null
  /**
   * Name of the scenario file in the same folder, which contains scripted responses of models and
   * tools; null if there is none.
   */
  readonly scenario: string | null
  /** The module with host functions in the workflow's folder; null if there is none. */
  readonly module: StudioModule | null
}

/**
 * A JavaScript module with host functions in a workflow's folder. The studio imports this code only
 * after the user has allowed it.
 */
export interface StudioModule {
  readonly name: string
  readonly isAllowed: boolean
}

/** A workflow file with its text. */
export interface FileWithText extends StudioFile {
  readonly text: string
  /**
   * The outermost workflow that includes the file, directly or through other files. Starting a run
   * of the file starts this workflow. null: no workflow includes the file.
   */
  readonly root: Pick<StudioFile, "path" | "name"> | null
}

/**
 * The text range of the config object that defines an agent. `line` and `column` are the position
 * of its first character.
 */
export interface AgentPlace {
  /** Offset of the first character. */
  readonly from: number
  /** Offset after the last character. */
  readonly to: number
  readonly line: number
  readonly column: number
  /**
   * Path of the other workspace file that defines the agent. The location is then the location of
   * the reference to that file. Absent if this text defines the agent.
   */
  readonly file?: string
}

/** The result of compiling the text of a workflow file: its chart, or its errors. */
export interface CompiledText {
  /** The location of each agent in the text, by agent name. */
  readonly places: Readonly<Record<string, AgentPlace>>
  readonly diagnostics: readonly Diagnostic[]
  /** The drawing of the chart as SVG. null if the text has errors. */
  readonly svg: string | null
  /** Id of the chart. null if the text has errors. */
  readonly chart: string | null
  /** The first user message that the config contains; null if it contains none. */
  readonly prompt: string | null
  /** JSON Schema of the first user message; null if the root agent defines no input schema. */
  readonly inputSchema: MessageSchema | null
  /** The agents whose settings a run can override. */
  readonly agents: readonly OverridableAgent[]
  /** The services that a run needs, each written as kind and name, for example `tool refund`. */
  readonly needs: readonly string[]
  /** Descriptions of the required services that are missing. */
  readonly missing: readonly string[]
}

/** A JSON Schema of the first user message of a run. */
export type MessageSchema = Readonly<Record<string, unknown>>

/**
 * The current settings of an LlmAgent that a user can override for one run. If a field is absent,
 * the setting cannot be overridden.
 */
export interface OverridableAgent {
  readonly id: string
  readonly model?: string
  readonly instruction?: string
  /** Temperature of the model; null if the config does not set it. */
  readonly temperature?: number | null
}

/** Settings that replace the settings of agents in a single run, by agent id. */
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

/** Options for the drawing of a chart. */
export interface DrawingOptions {
  readonly detail?: "agents" | "ways" | "all" | "statechart"
  readonly direction?: "down" | "right"
  readonly legend?: boolean
  /**
   * Ids of agents and states that must be visible in the drawing. All folded states that contain
   * one of them are unfolded.
   */
  readonly open?: readonly string[]
}

/**
 * The drawing of a workflow text with the requested options. `svg` is null if the text has errors.
 */
export interface DrawnText {
  readonly svg: string | null
}

/**
 * The fields or values that the editor suggests at the cursor. The suggestion that the user selects
 * replaces the text from `from` to `to`.
 */
export interface EditorCompletions {
  readonly from: number
  readonly to: number
  readonly options: readonly EditorOption[]
}

export interface EditorOption {
  readonly label: string
  /** Description of the field. Empty for values. */
  readonly description: string
  /** The text that replaces the word at the cursor and the quotes around this word. */
  readonly insert: string
}

/**
 * The description of a field, which the editor shows while the pointer is over the text from `from`
 * to `to`.
 */
export interface EditorHover {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly description: string
}

/** A run in the journal, with the fields that the sidebar shows. */
export type StudioRun = HubRun

/** A run in a workflow's history, with its duration, tokens and cost. */
export interface HistoryRun extends StudioRun {
  /**
   * Time from the start of the run to its last event, in milliseconds. A fork starts when it is
   * created.
   */
  readonly durationMs: number
  /**
   * Total tokens of all model responses that contain token counts; null if no response contains
   * them.
   */
  readonly tokens: number | null
  /** Cost of the model calls; null if no model has a known price. */
  readonly cost: number | null
}

/** A run with the drawing of its chart and details of its start. */
export interface RunWithChart extends StudioRun {
  readonly svg: string
  /** The workflow file that the run was started from. */
  readonly file: string | null
  /** The file with the scripted responses of the run; null if the run calls real services. */
  readonly scenario: string | null
  readonly prompt: string | null
  readonly forkedFrom: { readonly runId: string; readonly at: number } | null
  /**
   * The run whose WorkflowAgent started this run, and the agent path of that call. null: the run
   * was not started by another run.
   */
  readonly caller: { readonly runId: string; readonly path: string } | null
  /**
   * The names of the policies that apply to the run. `enforce`: calls that would violate a policy
   * are stopped. null if the run has no policies.
   */
  readonly policies: { readonly enforce: boolean; readonly names: readonly string[] } | null
  /**
   * The counterexample that the run plays: the violated policy, and the event that violates it.
   * null: the run does not play a counterexample.
   */
  readonly counterexample: {
    readonly policy: string
    readonly file: string
    readonly line: number
    readonly seq: number
  } | null
}

/**
 * A group of an LlmAgent's turns. Their paths differ only in indexes, which are the numbers of list
 * items or loop iterations.
 */
export interface TurnGroup {
  readonly agent: string
  /** The common path of the turns, with `[*]` in place of each index. */
  readonly path: string
  /** Number of turns. */
  readonly count: number
  /** Number of turns that are in progress. */
  readonly active: number
}

/** A turn of an LlmAgent with its messages. */
export type AgentTurn = Pick<AgentAt, "path" | "isActive" | "conversation">

/**
 * The state of a run after one of its journal records. `seen` is the number of events that the run
 * had emitted by then. The conversations of each turn are loaded separately, because their size
 * grows with the run.
 */
export type StudioSnapshot = Pick<RunAt, "at" | "of" | "time" | "result" | "inFlight"> & {
  readonly seen: number
  /** The groups of turns, in the order of their first turns. */
  readonly turns: readonly TurnGroup[]
}

/** One attempt of a call, reconstructed from the run's journal. */
export interface CallAttempt {
  readonly attempt: number
  /** The request that the service received. */
  readonly request: ModelRequest | ToolRequest
  /** The unprocessed response or the error. null: the attempt was stopped or has no result yet. */
  readonly result: Envelope | null
}

/** The JSON body of the HTTP request that starts a run. */
export interface StartRequest {
  /**
   * The file that is open in the editor. If other workflows include this file, the run starts the
   * outermost of them.
   */
  readonly file: string
  /** The text in the editor. */
  readonly text: string
  readonly prompt?: string
  readonly state?: Readonly<Record<string, unknown>>
  /**
   * Whether to use the scripted responses of the scenario file instead of real models and tools.
   */
  readonly scripted?: boolean
  readonly overrides?: AgentOverrides
}

export type { Envelope, ModelRequest, ToolRequest }
export type { Diagnostic, PendingRequest, ErrorBody, RunEvent, RunResult }

// The JSON that the server and the page of the studio exchange.
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import type { DrawingDetail } from "../drawing/picture/picture.js"
import type { PendingRequest } from "../machines/contract/pending-request.js"
import type { Envelope, ModelRequest, ToolRequest } from "../machines/contract/services.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import type { AgentAt } from "../runtime/history/agent-positions.js"
import type { RunAt } from "../runtime/history/snapshot-at.js"
import type { ErrorBody } from "../serving/http-error.js"
import type { HubRun } from "../serving/run-details.js"

/** A workflow file in the workspace, which is the folder that the studio opened. */
export interface StudioFile {
  /**
   * Path of the file relative to the workspace folder, with `/` as separator, for example
   * `team/desk/workflow.json`.
   */
  readonly path: string
  /** Name of the workflow in its config. Default: the name of the file or of its folder. */
  readonly name: string
  readonly description: string | null
  /** Path of the workflow that includes this file. Null if no other workflow includes it. */
  readonly partOf: string | null
  /**
   * Name of the scenario file in the same folder, which contains scripted responses of models and
   * tools. Null if there is no scenario file.
   */
  readonly scenario: string | null
  /**
   * The JavaScript module with host functions in the workflow's folder. Null if there is no module.
   */
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

/** A workflow file with its text, as the studio's editor loads it. */
export interface FileWithText extends StudioFile {
  readonly text: string
  /**
   * The outermost workflow that includes this file, directly or through other files. If the user
   * runs this file, the studio runs the outermost workflow instead. Null if no workflow includes
   * the file.
   */
  readonly root: Pick<StudioFile, "path" | "name"> | null
}

/**
 * The range of a workflow text that defines an agent. `line` and `column` are the position of the
 * first character.
 */
export interface AgentRange {
  /** Offset of the first character in the text. */
  readonly from: number
  /** Offset after the last character in the text. */
  readonly to: number
  readonly line: number
  readonly column: number
  /**
   * Path of another workspace file that defines the agent. The range is then the reference to that
   * file. Absent if this text defines the agent.
   */
  readonly file?: string
}

/**
 * The result of compiling the text of a workflow file. It contains the drawing of the chart or the
 * errors.
 */
export interface CompiledText {
  /** The text range that defines each agent, by agent name. */
  readonly ranges: Readonly<Record<string, AgentRange>>
  readonly diagnostics: readonly Diagnostic[]
  /** Drawing of the chart as SVG. Null if the text has errors. */
  readonly svg: string | null
  /** Id of the compiled chart. Null if the text has errors. */
  readonly chart: string | null
  /** First user message that the config contains. Null if it contains none. */
  readonly prompt: string | null
  /** JSON Schema of the first user message. Null if the root agent has no input schema. */
  readonly inputSchema: MessageSchema | null
  /** The agents whose settings a run can override. */
  readonly agents: readonly OverridableAgent[]
  /** The services that a run needs. Each entry is a kind and a name, for example `tool refund`. */
  readonly needs: readonly string[]
  /** Descriptions of the required services that the studio does not have. */
  readonly missing: readonly string[]
}

/** A JSON Schema that the first user message of a run must match. */
export type MessageSchema = Readonly<Record<string, unknown>>

/**
 * The settings of an LlmAgent that a user can override for one run, with their current values. An
 * absent setting cannot be overridden.
 */
export interface OverridableAgent {
  readonly id: string
  readonly model?: string
  readonly instruction?: string
  /** Temperature of the model. Null if the config does not set it. */
  readonly temperature?: number | null
}

/**
 * Agent settings that apply to a single run instead of the settings in the workflow, by agent id.
 */
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

/** Options for the drawing of a chart. They have the same meaning as the options of `drawSvg`. */
export interface DrawingOptions {
  readonly detail?: DrawingDetail
  readonly direction?: "down" | "right"
  readonly legend?: boolean
  /**
   * Ids of agents and states that must be visible. All folded states that contain one of them are
   * unfolded.
   */
  readonly open?: readonly string[]
}

/** Response to a request to draw a workflow text. `svg` is null if the text has errors. */
export interface DrawnText {
  readonly svg: string | null
}

/**
 * The fields or values that the editor suggests at the cursor. The selected suggestion replaces the
 * text from offset `from` to offset `to`.
 */
export interface EditorCompletions {
  readonly from: number
  readonly to: number
  readonly options: readonly EditorOption[]
}

export interface EditorOption {
  readonly label: string
  /** Description of the suggested field. Empty if the suggestion is the value of a field. */
  readonly description: string
  /** The text to insert. It replaces the word at the cursor and the quotes around this word. */
  readonly insert: string
}

/**
 * The description of a field, shown while the pointer is over the text from offset `from` to offset
 * `to`.
 */
export interface EditorHover {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly description: string
}

/** A run in the studio's journal, as the list in the sidebar shows it. */
export type StudioRun = HubRun

/** A run in the history of a workflow, with its duration, tokens and cost. */
export interface HistoryRun extends StudioRun {
  /**
   * Time from the start of the run to its last event, in milliseconds. For a fork, the time starts
   * when the fork is created.
   */
  readonly durationMs: number
  /** Total number of tokens of all model responses. Null if no response contains token counts. */
  readonly tokens: number | null
  /** Cost of all model calls. Null if no called model has a known price. */
  readonly cost: number | null
}

/** A run with the drawing of its chart and details of its start. */
export interface RunWithChart extends StudioRun {
  readonly svg: string
  /**
   * Path of the workflow file that the run was started from. Null if it was not started from a
   * file.
   */
  readonly file: string | null
  /** Path of the file with the run's scripted responses. Null if the run calls real services. */
  readonly scenario: string | null
  readonly prompt: string | null
  readonly forkedFrom: { readonly runId: string; readonly at: number } | null
  /**
   * The run whose WorkflowAgent started this run, and the path of that agent. Null if no other run
   * started this run.
   */
  readonly caller: { readonly runId: string; readonly path: string } | null
  /**
   * Names of the policies that apply to the run. If `enforce` is true, calls that would violate a
   * policy are stopped. Null if the run has no policies.
   */
  readonly policies: { readonly enforce: boolean; readonly names: readonly string[] } | null
  /**
   * The counterexample that the run replays. `policy` is the violated policy, and `seq` is the
   * event that violates it. Null if the run does not replay a counterexample.
   */
  readonly counterexample: {
    readonly policy: string
    readonly file: string
    readonly line: number
    readonly seq: number
  } | null
}

/** Turns of an LlmAgent whose paths differ only in the indexes of list items or loop iterations. */
export interface TurnGroup {
  readonly agent: string
  /**
   * Path that all turns of the group have in common, with `[*]` in place of each index, for example
   * `flow/block[*]/clerk`.
   */
  readonly path: string
  /** Number of turns in the group. */
  readonly count: number
  /** Number of turns in the group that have not finished. */
  readonly active: number
}

/** A turn of an LlmAgent with its conversation, which is the list of its messages. */
export type AgentTurn = Pick<AgentAt, "path" | "isActive" | "conversation">

/**
 * The state of a run after a number of its journal records. `seen` is the number of events that the
 * run had emitted by then. Conversations are loaded separately, because their size grows with the
 * run.
 */
export type StudioSnapshot = Pick<RunAt, "at" | "of" | "time" | "result" | "inFlight"> & {
  readonly seen: number
  /**
   * The turns of all agents. Turns whose paths differ only in indexes form a group, and the groups
   * are ordered by their first turn.
   */
  readonly turns: readonly TurnGroup[]
}

/** One attempt of a model or tool call, reconstructed from the journal. */
export interface CallAttempt {
  readonly attempt: number
  /**
   * The request to the model or tool service. A service that calls a URL creates the HTTP request
   * from it.
   */
  readonly request: ModelRequest | ToolRequest
  /**
   * The unprocessed response or the error. Null if the attempt was stopped or has no result yet.
   */
  readonly result: Envelope | null
}

/** JSON body of the HTTP request that starts a run in the studio. */
export interface StartRequest {
  /**
   * Path of the file in the editor. If other workflows include the file, the outermost of them is
   * started.
   */
  readonly file: string
  /** Text of the file in the editor, which may contain unsaved changes. */
  readonly text: string
  readonly prompt?: string
  readonly state?: Readonly<Record<string, unknown>>
  /**
   * Whether the run uses the scripted responses of the scenario file instead of real models and
   * tools.
   */
  readonly scripted?: boolean
  readonly overrides?: AgentOverrides
}

export type { Envelope, ModelRequest, ToolRequest }
export type { Diagnostic, PendingRequest, ErrorBody, RunEvent, RunResult }

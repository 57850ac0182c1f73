import type { PendingRequest } from "../machines/contract/pending-request.js"
import type {
  RunError,
  RunEvent,
  RunResult,
  RunStatus,
  ToolFailure,
  Usage,
} from "../machines/contract/run-event.js"
import type { UserContent } from "../machines/contract/user-content.js"
import type { ServerConnection } from "./connection.js"
import type { RouteName } from "./routes.js"
import type { StreamOptions, StreamPart } from "./stream-run.js"
import { streamRun } from "./stream-run.js"

/** Status of a run on a server, without its state. */
export interface RemoteRunStatus {
  readonly runId: string
  /** Id of the chart. */
  readonly chart: string
  /** Workflow file on the server; null for a chart without a file. */
  readonly file: string | null
  /** Time at which the run was started, in milliseconds since the epoch. */
  readonly startedAt: number
  /**
   * Whether this server is executing the run. If it is not and the run is interrupted, call
   * `resume()` to continue the run.
   */
  readonly isHere: boolean
  /**
   * The run that started this run, and the path of the agent that started it. Absent if the run was
   * not started by another run.
   */
  readonly calledBy?: { readonly runId: string; readonly path: string }
  readonly status: RunStatus
  readonly text: string | null
  readonly error: RunError | null
  readonly usage: Usage
  /**
   * Failed tool calls whose errors were sent to the model as tool results. Absent if no call
   * failed.
   */
  readonly toolFailures?: readonly ToolFailure[]
  /** Pending requests, oldest first. */
  readonly pending: readonly PendingRequest[]
}

/** Result of a run on a server. Until the run has finished, it contains the values so far. */
export interface RemoteRunResult extends RunResult {
  readonly pending: readonly PendingRequest[]
}

/**
 * A run on a server. Methods that send an answer resolve after the server's journal has stored the
 * answer. If the server rejects the answer, they reject with a `ClientError`.
 */
export class RemoteRun {
  readonly id: string
  readonly #connection: ServerConnection

  constructor(connection: ServerConnection, id: string) {
    this.#connection = connection
    this.id = id
  }

  /** Returns the status and the pending requests. */
  status(): Promise<RemoteRunStatus> {
    return this.#connection.json("readRun", { id: this.id })
  }

  /**
   * Returns the current result of the run, including its state, without waiting for the run to
   * finish.
   */
  result(): Promise<RemoteRunResult> {
    return this.#connection.json("readResult", { id: this.id })
  }

  /** Returns the drawing of the chart of this run, as the text of an SVG file. */
  async drawing({ signal }: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#connection.text("readDrawing", { id: this.id, signal })
  }

  /**
   * Waits until no call is in flight, then returns the result. The run has then finished, or it
   * waits for answers to the requests in `pending`. If the run is interrupted, the promise rejects
   * with `run_owned`. In this case, call `resume()` first.
   */
  async whenSettled({ signal }: { readonly signal?: AbortSignal } = {}): Promise<RemoteRunResult> {
    for (;;) {
      const result = await this.#connection.json<RemoteRunResult>("readResult", {
        id: this.id,
        query: { wait: 60 },
        signal,
      })
      if (result.status !== "running") return result
    }
  }

  /** @deprecated Use `whenSettled`, the current name of this method. */
  rest(options: { readonly signal?: AbortSignal } = {}): Promise<RemoteRunResult> {
    return this.whenSettled(options)
  }

  /**
   * Yields the events of the run until the run has finished, starting with past events. Reconnects
   * automatically. Each event is yielded exactly once.
   */
  async *events(options: StreamOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    for await (const part of this.stream(options)) if (part.type === "event") yield part.event
  }

  /**
   * Yields the same events as `events()`, and also the text pieces of model responses (deltas) and
   * changes of the connection.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamPart, void, undefined> {
    return streamRun(this.#connection, this.id, options)
  }

  /**
   * Sends a user message. If several agents are waiting for input, set `request` to the id of the
   * request that the message answers.
   */
  say(content: UserContent, options: { readonly request?: string } = {}): Promise<RemoteRunStatus> {
    return this.#post("say", { content, ...options })
  }

  /**
   * Approves the proposed tool calls of a pending request. `args` replaces the arguments of the
   * calls.
   */
  approve(
    id: string,
    edits: { readonly args?: Readonly<Record<string, unknown>> } = {},
  ): Promise<RemoteRunStatus> {
    return this.#post("approve", { id, ...edits })
  }

  /** Rejects the proposed tool calls of a pending request. `reason` is sent to the model. */
  reject(id: string, reason?: string): Promise<RemoteRunStatus> {
    return this.#post("reject", { id, ...(reason !== undefined && { reason }) })
  }

  /**
   * Answers a pending request. The value is any JSON value for the kind `human`, a text for
   * `input`, and `{secret: name}` for `auth`.
   */
  answer(id: string, value: unknown): Promise<RemoteRunStatus> {
    return this.#post("answer", { id, value })
  }

  /** Delivers the result of a long-running tool call. */
  deliver(callId: string, result: unknown): Promise<RemoteRunStatus> {
    return this.#post("deliver", { callId, result })
  }

  /** Ends the conversation. The status of the run becomes `completed`. */
  end(): Promise<RemoteRunStatus> {
    return this.#post("end", {})
  }

  /** Aborts the calls in flight. The status of the run becomes `cancelled`. */
  cancel(): Promise<RemoteRunStatus> {
    return this.#post("cancel", {})
  }

  /** Resumes a run that no process is executing, for example after a crash of the server. */
  resume(): Promise<RemoteRunStatus> {
    return this.#post("resume", {})
  }

  #post(route: RouteName, body: object): Promise<RemoteRunStatus> {
    return this.#connection.json(route, { id: this.id, body })
  }
}

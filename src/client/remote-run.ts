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

/**
 * Status of a run on a server, without the session state. `RemoteRun.result` returns the session
 * state.
 */
export interface RemoteRunStatus {
  readonly runId: string
  /** Id of the chart (the compiled workflow) that the run executes. */
  readonly chart: string
  /** Path of the workflow file on the server. Null if the chart was not compiled from a file. */
  readonly file: string | null
  /** Time at which the run was started, in milliseconds since the epoch. */
  readonly startedAt: number
  /**
   * Whether this server is executing the run. If it is false and the run is interrupted, call
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
  /** Requests that wait for an answer, for example approvals. Oldest first. */
  readonly pending: readonly PendingRequest[]
}

/** Result of a run on a server. Before the run has finished, it contains the current values. */
export interface RemoteRunResult extends RunResult {
  readonly pending: readonly PendingRequest[]
}

/**
 * A run on a server. Methods that send an answer, such as `approve`, resolve after the server's
 * journal has stored the answer. If the server rejects the answer, they reject with a
 * `ClientError`.
 */
export class RemoteRun {
  readonly id: string
  readonly #connection: ServerConnection

  constructor(connection: ServerConnection, id: string) {
    this.#connection = connection
    this.id = id
  }

  /**
   * Returns the run's current status and its pending requests. The session state is not included.
   */
  status(): Promise<RemoteRunStatus> {
    return this.#connection.json("readRun", { id: this.id })
  }

  /**
   * Returns the current result of the run, including the session state. Does not wait for the run
   * to finish.
   */
  result(): Promise<RemoteRunResult> {
    return this.#connection.json("readResult", { id: this.id })
  }

  /** Returns the drawing of the run's chart as the text of an SVG file. */
  async drawing({ signal }: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#connection.text("readDrawing", { id: this.id, signal })
  }

  /**
   * Waits until the run has no model or tool call in flight, then returns the result. The run has
   * then finished, or it waits for answers to the requests in `pending`. If the run is interrupted,
   * the promise rejects with the code `run_owned`. In this case, call `resume()` first.
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
   * Yields the events of the run until the run has finished. Starts with the first event of the
   * run, unless `options.after` is set. Reconnects automatically. Each event is yielded exactly
   * once.
   */
  async *events(options: StreamOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    for await (const part of this.stream(options)) if (part.type === "event") yield part.event
  }

  /**
   * Yields the same events as `events()`, and also deltas (pieces of the text that a model is
   * generating) and connection changes.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamPart, void, undefined> {
    return streamRun(this.#connection, this.id, options)
  }

  /**
   * Sends a user message to the run. If several agents wait for input, set `request` to the id of
   * the request that the message answers.
   */
  say(content: UserContent, options: { readonly request?: string } = {}): Promise<RemoteRunStatus> {
    return this.#post("say", { content, ...options })
  }

  /**
   * Approves the tool calls that the pending request `id` proposes. If `args` is set, it replaces
   * the arguments of the calls.
   */
  approve(
    id: string,
    edits: { readonly args?: Readonly<Record<string, unknown>> } = {},
  ): Promise<RemoteRunStatus> {
    return this.#post("approve", { id, ...edits })
  }

  /**
   * Rejects the tool calls that the pending request `id` proposes. `reason` is sent to the model.
   */
  reject(id: string, reason?: string): Promise<RemoteRunStatus> {
    return this.#post("reject", { id, ...(reason !== undefined && { reason }) })
  }

  /**
   * Answers the pending request `id`. The type of `value` depends on the kind of the request: any
   * JSON value for `human`, a text for `input`, and `{ secret: name }` for `auth`.
   */
  answer(id: string, value: unknown): Promise<RemoteRunStatus> {
    return this.#post("answer", { id, value })
  }

  /** Sends the result of a long-running tool call to the run. */
  deliver(callId: string, result: unknown): Promise<RemoteRunStatus> {
    return this.#post("deliver", { callId, result })
  }

  /** Ends the conversation of the run. The status of the run becomes `completed`. */
  end(): Promise<RemoteRunStatus> {
    return this.#post("end", {})
  }

  /** Cancels the run and aborts its calls in flight. The status of the run becomes `cancelled`. */
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

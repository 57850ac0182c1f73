import { AgentStatechartsError } from "../../../errors.js"
import type { Reply } from "../../../machines/contract/pending-request.js"
import { CallFailedError } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type {
  RemoteTask,
  RemoteTaskOptions,
  WriteText,
} from "../../../machines/workflow-agent/remote-task.js"
import type {
  ChildProgress,
  WorkflowRequest,
} from "../../../machines/workflow-agent/workflow-call.js"
import { maskedDeltas } from "../secrets/masked-deltas.js"
import type { A2aConnection } from "./a2a-connection.js"
import { answerContent, firstContent, messageOf, type MessageContent } from "./outgoing-message.js"
import { findSent } from "./find-sent.js"
import { malformedResponseError } from "./malformed-response.js"
import { pause } from "./poll-pause.js"
import { hasRpcCode, rpcCode } from "./rpc-error.js"
import { endOf, idsOf, questionOf } from "./task-progress.js"
import { hasEnded, isInterrupted, isWorking, readTask } from "./task-snapshot.js"
import { TaskView } from "./task-view.js"

/** Maximum time that `cancel` waits for the id of an A2A task, in milliseconds. */
const maxCancelWaitMs = 10_000

interface TaskParts {
  readonly request: WorkflowRequest
  readonly options: RemoteTaskOptions
  readonly connection: A2aConnection
  /** Aborts all requests of the A2A connection. */
  readonly controller: AbortController
}

/** The A2A task that executes one call of a remote agent (docs/semantics.md#remote-agents). */
export class A2aTask implements RemoteTask {
  readonly #parts: TaskParts
  readonly #view = new TaskView()
  #failure: { readonly error: unknown } | null = null
  #starting: Promise<void> | null = null
  #isClosed = false
  /** Aborts the current `#follow` loop, which tracks the state of the task. */
  #following = new AbortController()
  #write: WriteText | undefined

  constructor(parts: TaskParts) {
    this.#parts = parts
  }

  async deliver(request: WorkflowRequest): Promise<readonly string[]> {
    const unused: string[] = []
    for (const answer of request.answers ?? []) {
      await this.#start(request)
      const messageId = `${request.idempotencyKey}/${answer.id}`
      // After a restart, the answer may already have been sent.
      if (this.#view.snapshot.messageIds.has(messageId)) continue
      if (!isInterrupted(this.#view.snapshot) || questionOf(this.#view.snapshot).id !== answer.id)
        unused.push(answer.id)
      else this.#answer(messageId, answer)
    }
    return unused
  }

  async progress(
    request: WorkflowRequest,
    unused: readonly string[],
    write?: WriteText,
  ): Promise<ChildProgress | null> {
    this.#write = write
    await this.#start(request)
    const reported = { ...(unused.length > 0 && { unused }) }
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error
      const snapshot = this.#view.snapshot
      const isComplete = this.#view.isComplete
      if (isComplete && hasEnded(snapshot)) return endOf(snapshot, request.agent)
      if (this.#isClosed) return null
      const remote = idsOf(snapshot)
      // The task id is returned first, so that the journal stores the id before the task is
      // followed.
      if (remote.task !== null && request.remote?.task === undefined)
        return { status: "running", pending: [], remote, ...reported }
      if (isComplete && isInterrupted(snapshot)) {
        const question = { ...questionOf(snapshot), ...locationOf(request) }
        if (request.watches !== true || !request.seen.includes(question.id))
          return { status: "waiting", pending: [question], remote, ...reported }
      } else if (isWorking(snapshot) && (request.seen.length > 0 || unused.length > 0))
        return { status: "running", pending: [], remote, ...reported }
      await this.#view.changes.next()
    }
  }

  async cancel(): Promise<void> {
    const { clock } = this.#parts.options
    const cancelWait = clock.wakeAt(clock.now() + maxCancelWaitMs, () =>
      this.#view.changes.notify(),
    )
    const deadline = clock.now() + maxCancelWaitMs
    try {
      // A message whose response has not arrived may have started a task.
      while (this.#starting !== null && this.#isWithoutTask() && clock.now() < deadline)
        await this.#view.changes.next()
      const { task } = this.#view.snapshot
      const id = task ?? this.#parts.request.remote?.task ?? null
      if (id === null || hasEnded(this.#view.snapshot)) return
      await this.#parts.connection.call("cancel", { id }, null)
    } catch (error) {
      if (!hasRpcCode(error, rpcCode.taskNotCancelable, rpcCode.taskNotFound)) throw error
    } finally {
      cancelWait()
      this.close()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#following.abort()
    this.#parts.controller.abort(new AgentStatechartsError("run_suspended", "the call was closed"))
    this.#view.changes.notify()
  }

  #isWithoutTask(): boolean {
    return (
      this.#view.snapshot.task === null &&
      this.#parts.request.remote?.task === undefined &&
      this.#failure === null &&
      !hasEnded(this.#view.snapshot)
    )
  }

  #start(request: WorkflowRequest): Promise<void> {
    this.#starting ??= this.#begin(request).catch((error: unknown) => this.#fail(error))
    return this.#starting
  }

  /**
   * Finds the existing A2A task of the call. If there is no task, sends the first message. Then
   * starts to follow the state of the task.
   */
  async #begin(request: WorkflowRequest): Promise<void> {
    const id = request.remote?.task
    const messageId = request.idempotencyKey
    if (id !== undefined) await this.#refresh(id)
    else {
      const { connection, options } = this.#parts
      const contextId = request.remote?.contextId
      const sent = options.mayBeSent ? await findSent(connection, messageId, contextId) : null
      if (sent === null) {
        const content = firstContent(request)
        void this.#follow((signal) => this.#send(messageId, content, signal))
        return
      }
      await this.#refresh(sent)
    }
    void this.#follow(async () => {})
  }

  #answer(messageId: string, answer: Reply): void {
    this.#view.beginAnswer()
    void this.#follow((signal) => this.#send(messageId, answerContent(answer), signal))
  }

  /**
   * Executes an operation, for example sending a message, and then follows the state of the A2A
   * task until the task ends. A new call of this method stops the previous one.
   */
  async #follow(operation: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#following.abort()
    const following = new AbortController()
    this.#following = following
    const { signal } = following
    try {
      await operation(signal)
      await this.#followTask(signal)
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  async #followTask(signal: AbortSignal): Promise<void> {
    const { streams } = await this.#parts.connection.interface()
    // Number of successive attempts without an event.
    let quiet = 0
    while (!signal.aborted && !(this.#view.isComplete && hasEnded(this.#view.snapshot))) {
      const { task } = this.#view.snapshot
      if (task === null)
        throw malformedResponseError(
          this.#parts.request,
          "responded with neither a message nor a task",
        )
      if (!this.#view.isComplete) {
        await this.#refresh(task, signal)
        continue
      }
      const wasWaiting = isInterrupted(this.#view.snapshot)
      const hadEvents = streams && !wasWaiting && (await this.#subscribe(task, signal))
      if (!hadEvents || isWorking(this.#view.snapshot)) {
        quiet = hadEvents ? 1 : quiet + 1
        const kind = wasWaiting ? "interrupted" : "working"
        await pause(this.#parts.options.clock, kind, quiet, signal)
      }
      this.#view.setComplete(false)
    }
  }

  /**
   * Subscribes to an A2A task and reads its events until the stream ends. Returns whether any event
   * arrived.
   */
  async #subscribe(task: string, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#read("subscribe", { id: task }, null, signal)
    } catch (error) {
      // A broken stream is not a failure, because the next request gets the state of the task.
      if (error instanceof CallFailedError || signal.aborted) return false
      throw error
    }
  }

  async #send(messageId: string, content: MessageContent, signal: AbortSignal): Promise<void> {
    const { connection, request } = this.#parts
    const { version, streams } = await connection.interface()
    const { task, contextId } = this.#view.snapshot
    const message = messageOf(version, content, {
      messageId,
      taskId: task,
      contextId: contextId ?? request.remote?.contextId ?? null,
    })
    if (streams) await this.#read("stream", { message }, messageId, signal)
    else {
      const immediately = version === "1.0" ? { returnImmediately: true } : { blocking: false }
      const params = { message, configuration: immediately }
      this.#view.apply(await connection.call("send", params, messageId))
    }
    if (signal.aborted) return
    this.#view.endAnswer()
    // If the task has ended, the snapshot is complete. The stream contained all events since the
    // message, or the response is the whole task.
    this.#view.setComplete(hasEnded(this.#view.snapshot))
  }

  /**
   * Reads a stream of A2A events until the stream ends or the task requires input. Returns whether
   * any event arrived. If the stream fails after its first event and the task id is known, the
   * error is ignored, because the caller can request the task again.
   */
  async #read(
    operation: "stream" | "subscribe",
    params: JsonObject,
    key: string | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    let hadEvents = false
    const reading = new AbortController()
    const deltas = maskedDeltas((text) => this.#write?.(text))
    try {
      await this.#parts.connection.stream(
        operation,
        params,
        key,
        (event, mask) => {
          hadEvents = true
          const text = this.#view.apply(event)
          if (text !== "") deltas.push(text, mask)
          // Some servers keep the stream open while the task waits.
          if (isInterrupted(this.#view.snapshot)) reading.abort()
        },
        AbortSignal.any([signal, reading.signal]),
      )
    } catch (error) {
      if (!hadEvents || this.#view.snapshot.task === null) throw error
    }
    deltas.end()
    return hadEvents
  }

  async #refresh(id: string, signal?: AbortSignal): Promise<void> {
    const task = await this.#parts.connection.call("get", { id }, null)
    const snapshot = readTask(task)
    if (snapshot === null)
      throw malformedResponseError(this.#parts.request, `responded without the task "${id}"`)
    if (signal?.aborted === true) return
    this.#view.replace(snapshot)
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#view.changes.notify()
  }
}

const locationOf = ({ agent, path, branch }: WorkflowRequest) => ({ agent, path, branch })

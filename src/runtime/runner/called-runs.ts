import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallFailure } from "../../machines/contract/services.js"
import type { RemoteTask, WriteText } from "../../machines/workflow-agent/remote-task.js"
import type { WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { Clock } from "../driver/host.js"
import type { CallServices, ChildCaller, ChildResult } from "../host/call-services.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { Run } from "../run/run.js"
import { childHeader, refusal } from "./child-header.js"
import { ChildRun } from "./child-run.js"

/**
 * Delay in milliseconds between two attempts to resume a child run that another process executes.
 */
const pollMs = 500

/** The parts of a runner that start and resume child runs. */
export interface RunOpener {
  readonly journal: Journal
  readonly services: CallServices
  readonly clock: Clock
  /**
   * Returns a run that another runner of this process executes, or null if there is no such run.
   */
  findRun(runId: string): Run | null
  start(header: JournalHeader): Run
  /**
   * Resumes a stored run. Calls `before` after the stored records have been processed and before
   * the run continues.
   */
  resume(runId: string, before: (run: Run) => void): Promise<Run>
}

interface Epoch {
  hasEnded: boolean
}

/** A run whose WorkflowAgents can start child runs. */
interface ParentRun {
  readonly header: Pick<JournalHeader, "chart" | "calledBy" | "about" | "policies">
  /** Called with each child run that is resumed, before the child run makes any call. */
  readonly before: (run: Run) => void
  /**
   * Returns true if the run has ended because its journal failed. Another process may then resume
   * the run, so its child runs must not be cancelled.
   */
  readonly isLost: () => boolean
  /** True if an earlier process or runner has started the run. */
  readonly isResumed: boolean
}

/**
 * Starts, resumes and cancels the child runs of one runner (docs/semantics.md#calls-of-workflows).
 * A child run executes a workflow that an agent of another run calls.
 */
export class CalledRuns {
  readonly #opener: RunOpener
  /** Child runs that are open or are being opened, and tasks of remote agents, by run id. */
  readonly #open = new Map<string, Promise<ChildRun | RemoteTask>>()
  /** Tasks of remote agents that have not ended. */
  readonly #remote = new Set<RemoteTask>()
  /** The last call of each child run, by run id. Only the last call may cancel the child run. */
  readonly #lastCalls = new Map<string, object>()
  readonly #cancelling = new Set<Promise<void>>()
  /**
   * If another process executes a child run, this runner tries to resume it again after a delay.
   * Each function ends such a delay early.
   */
  readonly #pauses = new Set<() => void>()
  /**
   * The period from the creation of the runner, or from its last `close`, until its next `close`.
   * If a call was started in an earlier period, it is never completed.
   */
  #epoch: Epoch = { hasEnded: false }

  constructor(opener: RunOpener) {
    this.#opener = opener
  }

  /** Returns the child run with this id, or null if this runner does not execute it. */
  async find(runId: string): Promise<Run | null> {
    const child = await this.#open.get(runId)
    return child instanceof ChildRun ? child.run : null
  }

  /** Returns the object that executes the workflow calls of the run `parent`. */
  callerFor(parent: ParentRun): ChildCaller {
    return {
      call: (request, complete, write) => this.#call(parent, request, complete, write),
    }
  }

  /**
   * Stops all calls without cancelling their child runs. Resolves when all child runs that are
   * being opened or cancelled are done. Returns null if there is nothing to wait for. After
   * `close`, no call is completed until `reopen` is called.
   */
  close(): Promise<unknown> | null {
    this.#epoch.hasEnded = true
    for (const wake of this.#pauses) wake()
    for (const task of this.#remote) task.close()
    this.#remote.clear()
    const busy = [...this.#open.values(), ...this.#cancelling]
    return busy.length === 0 ? null : Promise.allSettled(busy)
  }

  /** Allows calls again after `close`. Called when all runs of the runner are suspended. */
  reopen(): void {
    this.#epoch = { hasEnded: false }
    this.#open.clear()
    this.#lastCalls.clear()
  }

  #call(
    parent: ParentRun,
    request: WorkflowRequest,
    complete: (result: ChildResult) => void,
    write: WriteText | undefined,
  ): () => void {
    const id = childRunId(request)
    const call = {}
    const epoch = this.#epoch
    let isStopped = false
    this.#lastCalls.set(id, call)
    const live = write && ((text: string) => isStopped || write(text))
    void this.#resultOf(parent, request, epoch, live).then((result) => {
      if (result === null || isStopped || epoch.hasEnded) return
      if (!result.ok || !("pending" in result.value)) this.#deleteCall(id, call)
      complete(result)
    })
    return () => {
      isStopped = true
      // The check is delayed, because a call that replaces this call starts in the same step of the
      // calling run.
      queueMicrotask(() => {
        if (this.#lastCalls.get(id) !== call || epoch.hasEnded || parent.isLost()) return
        const cancelled = this.#cancel(id, call).finally(() => this.#cancelling.delete(cancelled))
        this.#cancelling.add(cancelled)
      })
    }
  }

  #deleteCall(id: string, call: object): void {
    if (this.#lastCalls.get(id) !== call) return
    this.#lastCalls.delete(id)
    this.#open.delete(id)
  }

  #closeRemote(task: ChildRun | RemoteTask): void {
    if (task instanceof ChildRun) return
    task.close()
    this.#remote.delete(task)
  }

  async #cancel(id: string, call: object): Promise<void> {
    try {
      const child = await this.#open.get(id)
      await child?.cancel()
      if (child !== undefined) this.#closeRemote(child)
    } catch (error) {
      // If the child run could not be opened, it was not executed, and its call has already failed.
      if (!(error instanceof AgentStatechartsError)) throw error
    } finally {
      this.#deleteCall(id, call)
    }
  }

  /**
   * Returns the result of a call. Returns null if the runner was closed in the meantime. Never
   * rejects.
   */
  async #resultOf(
    parent: ParentRun,
    request: WorkflowRequest,
    epoch: Epoch,
    write: WriteText | undefined,
  ): Promise<ChildResult | null> {
    const id = childRunId(request)
    let opened: ChildRun | RemoteTask | null = null
    try {
      for (;;) {
        const wasOpen = this.#open.has(id)
        const opening = this.#open.get(id) ?? this.#openChild(parent, request, epoch)
        this.#open.set(id, opening)
        const child = await opening
        opened = child
        const unused = await child.deliver(request)
        // After a restart, the first call returns as soon as the child run waits again.
        const { watches: _watches, ...active } = request
        const progress = await child.progress(wasOpen ? request : active, unused, write)
        if (progress !== null) {
          if (!("pending" in progress)) this.#closeRemote(child)
          return { ok: true, value: progress }
        }
        if (epoch.hasEnded || !(child instanceof ChildRun)) return null
        // Another runner of this process had opened the child run and has suspended it.
        this.#open.delete(id)
      }
    } catch (error) {
      if (opened !== null) this.#closeRemote(opened)
      return epoch.hasEnded ? null : { ok: false, error: failureOf(error) }
    }
  }

  async #openChild(
    parent: ParentRun,
    request: WorkflowRequest,
    epoch: Epoch,
  ): Promise<ChildRun | RemoteTask> {
    const { journal, clock } = this.#opener
    if (request.remote !== undefined) return this.#openRemote(parent, request)
    const id = childRunId(request)
    for (;;) {
      try {
        const live = this.#opener.findRun(id)
        if (live !== null) return new ChildRun(live)
        const stored = await journal.load(id)
        return new ChildRun(
          stored === null
            ? this.#opener.start(childHeader(this.#opener, parent.header, request))
            : await this.#opener.resume(id, parent.before),
        )
      } catch (error) {
        const isOwned = error instanceof AgentStatechartsError && error.code === "run_owned"
        if (!isOwned || epoch.hasEnded) throw error
        await this.#pause(clock)
      }
    }
  }

  #openRemote({ isResumed }: ParentRun, request: WorkflowRequest): RemoteTask {
    const { services, clock } = this.#opener
    const service = services.http?.agent
    if (service === undefined)
      throw refusal(
        "service_missing",
        `agent "${request.agent}" calls a remote agent and needs an HTTP service with \`agent\`; pass http: createHttpServices()`,
      )
    const task = service.open(request, { clock, mayBeSent: isResumed || request.attempt > 1 })
    this.#remote.add(task)
    return task
  }

  #pause(clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#pauses.delete(wake)
        cancel()
        resolve()
      }
      const cancel = clock.wakeAt(clock.now() + pollMs, wake)
      this.#pauses.add(wake)
    })
  }
}

const failureOf = (error: unknown): CallFailure =>
  error instanceof CallFailedError
    ? error.failure
    : {
        code: error instanceof AgentStatechartsError ? error.code : "internal",
        message: thrownMessage(error),
        retryable: false,
      }

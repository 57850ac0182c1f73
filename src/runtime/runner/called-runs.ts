import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { CallFailure } from "../../machines/contract/services.js"
import type { CallingRun, WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import { workflowNamed } from "../../machines/workflow-agent/called-charts.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { Clock } from "../driver/host.js"
import type { CallServices, ChildCaller, ChildResult } from "../host/call-services.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import { newRun } from "../run/new-run.js"
import type { Run } from "../run/run.js"
import { ChildRun } from "./child-run.js"

/**
 * Maximum number of callers above a child run: the run that calls it, the run that calls that run,
 * and so on.
 */
const maxDepth = 10

/**
 * Delay in milliseconds before another attempt to resume a child run that another process executes.
 */
const pollMs = 500

/** The parts of a runner that start and resume child runs. */
export interface RunOpener {
  readonly journal: Journal
  readonly services: CallServices
  readonly clock: Clock
  /** Returns a run that another runner of this process executes, or null. */
  findRun(runId: string): Run | null
  start(header: JournalHeader): Run
  /** Resumes a stored run. `before` is called after its past records have been processed. */
  resume(runId: string, before: (run: Run) => void): Promise<Run>
}

interface Epoch {
  isOver: boolean
}

/** A run that calls child runs. */
interface ParentRun {
  readonly header: Pick<JournalHeader, "chart" | "calledBy" | "about" | "policies">
  /** Called with each child run that is resumed, before the child run makes any call. */
  readonly before: (run: Run) => void
  /**
   * Returns whether the run has ended because its journal failed. Another process may then resume
   * the run.
   */
  readonly isLost: () => boolean
}

/** The child runs of a runner (docs/semantics.md#calls-of-workflows). */
export class CalledRuns {
  readonly #opener: RunOpener
  /** Child runs that are open or that are being opened, by run id. */
  readonly #open = new Map<string, Promise<ChildRun>>()
  /** The last call of each child run, by run id. Only the last call may cancel the child run. */
  readonly #lastCalls = new Map<string, object>()
  readonly #cancelling = new Set<Promise<void>>()
  /** Functions that end the delays before another attempt to resume a child run. */
  readonly #pauses = new Set<() => void>()
  /**
   * The period until the runner is closed. Calls that start in this period do not complete after
   * its end.
   */
  #epoch: Epoch = { isOver: false }

  constructor(opener: RunOpener) {
    this.#opener = opener
  }

  /** Returns the child run with this id, or null if this runner does not execute it. */
  async find(runId: string): Promise<Run | null> {
    return (await this.#open.get(runId))?.run ?? null
  }

  /** Returns the object that executes the workflow calls of one run. */
  callerFor(parent: ParentRun): ChildCaller {
    return { call: (request, complete) => this.#call(parent, request, complete) }
  }

  /**
   * Stops all calls without cancelling their child runs. Returns a promise that resolves when no
   * child run is being opened or cancelled, or null if there is nothing to wait for. Call `reopen`
   * afterwards.
   */
  close(): Promise<unknown> | null {
    this.#epoch.isOver = true
    for (const wake of this.#pauses) wake()
    const busy = [...this.#open.values(), ...this.#cancelling]
    return busy.length === 0 ? null : Promise.allSettled(busy)
  }

  /** Allows calls again. Called after all runs of the runner were suspended. */
  reopen(): void {
    this.#epoch = { isOver: false }
    this.#open.clear()
    this.#lastCalls.clear()
  }

  #call(
    parent: ParentRun,
    request: WorkflowRequest,
    complete: (result: ChildResult) => void,
  ): () => void {
    const id = childRunId(request)
    const call = {}
    const epoch = this.#epoch
    let isStopped = false
    this.#lastCalls.set(id, call)
    void this.#resultOf(parent, request, epoch).then((result) => {
      if (result === null || isStopped || epoch.isOver) return
      if (!result.ok || !("pending" in result.value)) this.#forget(id, call)
      complete(result)
    })
    return () => {
      isStopped = true
      // A call that replaces this one starts in the same step of the calling run.
      queueMicrotask(() => {
        if (this.#lastCalls.get(id) !== call || epoch.isOver || parent.isLost()) return
        const cancelled = this.#cancel(id, call).finally(() => this.#cancelling.delete(cancelled))
        this.#cancelling.add(cancelled)
      })
    }
  }

  #forget(id: string, call: object): void {
    if (this.#lastCalls.get(id) !== call) return
    this.#lastCalls.delete(id)
    this.#open.delete(id)
  }

  async #cancel(id: string, call: object): Promise<void> {
    try {
      const child = await this.#open.get(id)
      await child?.cancel()
    } catch (error) {
      // A child run that could not be opened was not executed. Its call has already failed.
      if (!(error instanceof AgentStatechartsError)) throw error
    } finally {
      this.#forget(id, call)
    }
  }

  /** Returns the result of a call, or null if the runner was closed. Never rejects. */
  async #resultOf(
    parent: ParentRun,
    request: WorkflowRequest,
    epoch: Epoch,
  ): Promise<ChildResult | null> {
    const id = childRunId(request)
    try {
      for (;;) {
        const wasOpen = this.#open.has(id)
        const opening = this.#open.get(id) ?? this.#openChild(parent, request, epoch)
        this.#open.set(id, opening)
        const child = await opening
        const unused = await child.deliver(request)
        // After a restart, the first call returns as soon as the child run waits again.
        const { watches: _watches, ...active } = request
        const progress = await child.progress(wasOpen ? request : active, unused)
        if (progress !== null) return { ok: true, value: progress }
        if (epoch.isOver) return null
        // Another runner of this process had opened the child run and has suspended it.
        this.#open.delete(id)
      }
    } catch (error) {
      return epoch.isOver ? null : { ok: false, error: failureOf(error) }
    }
  }

  async #openChild(parent: ParentRun, request: WorkflowRequest, epoch: Epoch): Promise<ChildRun> {
    const { journal, clock } = this.#opener
    const id = childRunId(request)
    for (;;) {
      try {
        const live = this.#opener.findRun(id)
        if (live !== null) return new ChildRun(live)
        const stored = await journal.load(id)
        return new ChildRun(
          stored === null
            ? this.#opener.start(this.#headerOf(parent.header, request))
            : await this.#opener.resume(id, parent.before),
        )
      } catch (error) {
        const isOwned = error instanceof AgentStatechartsError && error.code === "run_owned"
        if (!isOwned || epoch.isOver) throw error
        await this.#pause(clock)
      }
    }
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

  /**
   * Creates the journal header of a new child run. Throws if the workflow is not registered, or if
   * the run has too many callers.
   */
  #headerOf(parent: ParentRun["header"], request: WorkflowRequest): JournalHeader {
    const { clock } = this.#opener
    const { agent, workflow, prompt, input, limits, path, runId } = request
    const chart = this.#chartOf(parent.chart, workflow)
    const depth = (parent.calledBy?.depth ?? 0) + 1
    if (chart === undefined)
      throw refusal(
        "service_missing",
        `agent "${agent}" needs the workflow "${workflow}", which is not registered in "workflows" of the runner`,
      )
    if (depth > maxDepth)
      throw refusal(
        "call_depth_exceeded",
        `agent "${agent}" calls the workflow "${workflow}" below ${maxDepth} other runs, which is the maximum; check whether workflows call each other without end`,
      )
    const isGraph = taskGraphOf(chart) !== null
    if (isGraph && limits !== undefined)
      throw refusal(
        "input_refused",
        `agent "${agent}" calls the graph "${workflow}" with maxModelCalls or a budget, which graphs do not have; set the limits on its adk nodes, or use maxDuration`,
      )
    const calledBy: CallingRun = {
      runId,
      path,
      depth,
      ...(limits !== undefined && { limits }),
    }
    return {
      ...newRun(chart, isGraph ? { context: input } : { prompt, state: input }, {
        runId: childRunId(request),
        at: clock.now(),
        policies: parent.policies ?? null,
      }),
      calledBy,
      ...(parent.about !== undefined && { about: parent.about }),
    }
  }

  /**
   * Returns the chart of a workflow by its name. The chart of the caller and the charts of its
   * nodes take precedence over the services.
   */
  #chartOf(caller: AgentChart, workflow: string): AgentChart | undefined {
    const { workflows, charts = {} } = caller
    return workflowNamed(workflow, [
      workflows,
      ...Object.values(charts).map((inner) => inner.workflows),
      this.#opener.services.workflows,
    ])
  }
}

const refusal = (code: CallFailure["code"], message: string): AgentStatechartsError =>
  new AgentStatechartsError(code, message)

const failureOf = (error: unknown): CallFailure => ({
  code: error instanceof AgentStatechartsError ? error.code : "internal",
  message: wordsOf(error),
  retryable: false,
})

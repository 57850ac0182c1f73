import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { rootTurnInput } from "../../machines/containers/root-input.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunError,
  RunResult,
  RunStatus,
} from "../../machines/contract/run-event.js"
import type { PolicyJudgement, ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import { chartWithLimits } from "../../machines/workflow-agent/workflow-call.js"
import type { TurnOutput } from "../../machines/contract/turn.js"
import { Driver } from "../driver/driver.js"
import type { DriverObserver } from "../driver/driver-observer.js"
import type { Instance } from "../driver/instance.js"
import { innermostFirst, isInstance } from "../driver/instance.js"
import { withLiveState } from "../driver/live-state.js"
import type { RunTally } from "../driver/outcome.js"
import { addToTally, noTally, resultOf, statusOf } from "../driver/outcome.js"
import type { StateEdit } from "../driver/state-edit.js"
import { DeltaEmitter } from "../events/delta-emitter.js"
import type { EventLog } from "../events/event-log.js"
import { inNode } from "../events/in-node.js"
import { inspectedObserver } from "../events/inspect-run.js"
import { stateEdited, warningOf } from "../events/run-events.js"
import {
  isOutside,
  type JournalHeader,
  type JournalRecord,
  resultIn,
  type StoredRunStatus,
} from "../journal/journal.js"
import type { PolicyGate } from "../policies/policy-gate.js"
import { OpenRequests } from "./open-requests.js"
import { noRequestId } from "./replies.js"
import { RunCalls } from "./run-calls.js"
import type { RunLifecycle } from "./run-lifecycle.js"
import type { RunParts } from "./run-parts.js"

/** Methods of a run that its `ChartExecution` calls, for example when the chart has ended. */
interface ChartOwner {
  readonly header: JournalHeader
  readonly log: EventLog
  now(): number
  /** Appends the result of a call to the journal of the run. */
  append(record: JournalRecord): unknown
  /** Called when a user message has started the next invocation (only in the `adk` dialect). */
  startInvocation(): void
  /** Called when the root machine of the chart has reached a final state. */
  close(status: RunStatus, error: RunError | null): void
  /** Called if a state machine throws an error. The run cannot continue after this error. */
  failed(cause: unknown): void
}

/**
 * Executes the chart of a run by processing the records of the run. It contains all data that is
 * computed from the records: the machines, the pending requests and the usage. The same records
 * always lead to the same data.
 */
export class ChartExecution implements DriverObserver {
  readonly requests = new OpenRequests()
  readonly #parts: RunParts
  readonly #owner: ChartOwner
  readonly #lifecycle: RunLifecycle
  readonly #calls: RunCalls
  readonly #driver: Driver
  readonly #gate: PolicyGate | null
  #tally: RunTally = noTally
  #records = 0
  /** Final status that the last processed `end` or `cancel` requested, or null. */
  #stoppedAs: "completed" | "cancelled" | null = null
  /** True if the deadline of the run has passed and the run has not been stopped yet. */
  #isOverdue = false

  constructor(parts: RunParts, owner: ChartOwner, lifecycle: RunLifecycle) {
    this.#parts = parts
    this.#owner = owner
    this.#lifecycle = lifecycle
    const { header, host, inspect, machine, policyGate, watch = null } = parts
    const { policies } = header
    this.#gate =
      policies === undefined || policyGate === null ? null : policyGate(header.chart, policies)
    this.#calls = new RunCalls(host, owner, new DeltaEmitter(owner), watch)
    const observer =
      inspect === undefined
        ? this
        : inspectedObserver(header.runId, inspect, (message) => this.warn(message), this)
    const limits = header.calledBy?.limits
    const chart = limits === undefined ? header.chart : chartWithLimits(header.chart, limits)
    this.#driver = new Driver(machine, chart, this.#calls, observer)
  }

  /** True for a task graph, in which the end of a node's conversation does not end the run. */
  get isGraph(): boolean {
    return taskGraphOf(this.#parts.header.chart) !== null
  }

  /** Instance of the chart's root machine. null before the run has started. */
  get root(): Instance | null {
    return this.#driver.root
  }

  get rootContext(): OrchestrationContext | null {
    const root = this.#driver.root
    if (root === null) return null
    // The cast is safe: the root machine of a chart is an orchestration machine.
    const context = root.context as OrchestrationContext
    return this.isGraph
      ? withLiveState(context, root.children.values().filter(isInstance))
      : context
  }

  /** Time of the last processed record, or the start time, in milliseconds since the epoch. */
  get time(): number {
    return this.#driver.time || this.#owner.header.at
  }

  /**
   * Number of processed journal records. Records of `end` and `cancel` are not counted, because
   * they do not change the session.
   */
  get records(): number {
    return this.#records
  }

  /** True while the stored records of a resumed run are processed. No calls are made then. */
  get isReplaying(): boolean {
    return this.#calls.isReplaying
  }

  /** True if a call is in flight that does more than wait for a deadline or a child run. */
  get isWorking(): boolean {
    return this.#driver.inFlight > 0
  }

  /**
   * True if no call is in flight, not even a call that only waits for a deadline or a child run.
   */
  get hasNoCalls(): boolean {
    return this.#driver.isIdle
  }

  start({ chart, input, runId, at }: JournalHeader): void {
    this.#driver.start(chart.root, rootTurnInput(input, chart, runId, at))
    this.#stopIfHalted()
  }

  /** Ends the replay of stored records and starts the calls that have no result. */
  endReplay(): void {
    this.#calls.endReplay(this.#driver)
  }

  /**
   * Stops all calls. No further calls can be started. If `isSuspended` is true, the calls are
   * repeated when the run is resumed.
   */
  stopCalls(isSuspended: boolean): void {
    this.#calls.stop(this.#driver, isSuspended)
  }

  /** Processes a record. Ignores the record if its call or request is no longer open. */
  process(record: JournalRecord): void {
    if (!isOutside(record)) {
      this.#records++
      this.#driver.complete(record[0], resultIn(record))
      this.#stopIfHalted()
      return
    }
    // The cast is safe: the fields were checked before the event was recorded.
    const event = record[2] as MachineEvent & { readonly at: number }
    if (event.type === "run.stopped" && !this.#endsConversations(event))
      this.#stoppedAs = event["as"] as "completed" | "cancelled"
    else this.#records++
    this.#send(event)
    if (typeof event["id"] === "string") this.requests.unclaim(event["id"])
    this.#stopIfHalted()
    if (event.type === "state.edited") this.emit(stateEdited(this.#owner.header, event))
  }

  #send(event: MachineEvent & { readonly at: number }): void {
    if (this.#endsConversations(event)) return this.#endConversations(event.at)
    if (event.type === "run.stopped") return this.#driver.stop(event)
    if (event.type === "state.edited") return this.#driver.edit(event as MachineEvent & StateEdit)
    const id = event["id"] as string
    const receiver = id === noRequestId ? this.#driver.root : this.requests.instanceOf(id)
    if (receiver != null) this.#driver.send(receiver, event)
  }

  #endsConversations(event: MachineEvent): boolean {
    return event.type === "run.stopped" && event["as"] === "completed" && this.isGraph
  }

  /** Ends the conversations of all adk nodes that wait for a user message. The graph continues. */
  #endConversations(at: number): void {
    for (const instance of this.root === null ? [] : innermostFirst(this.root))
      if (instance.machine.program.config.id === "adkTask")
        this.#driver.send(instance, { type: "conversations.ended", at })
  }

  /** Stops the run if its deadline has passed or a policy has ended it. Keeps partial results. */
  #stopIfHalted(): void {
    if (!this.#isOverdue && (!this.isHalted() || !this.#lifecycle.isUnfinished)) return
    const error = this.#gate?.end?.error ?? this.rootContext?.error ?? null
    this.#driver.stop({ type: "run.stopped", as: "limit", at: this.#driver.time, error })
    this.#isOverdue = false
  }

  result(): RunResult {
    const { status, error } = this.#lifecycle
    return resultOf(this.#parts.header.runId, status, this.rootContext, error, this.#tally)
  }

  /** Returns the status of the run in the form that the journal stores for lists of runs. */
  storedStatus(): StoredRunStatus {
    const { status } = this.#lifecycle
    const noted = { status, pending: this.requests.all(), at: this.time }
    const wakeAt = status === "waiting" ? this.#driver.nextDeadline : undefined
    return wakeAt === undefined ? noted : { ...noted, wakeAt }
  }

  /** Adds an event to the log of the run, with the policy violations that it causes. */
  emit(event: EmittedEvent | RunBoundaryEvent): void {
    const { log } = this.#owner
    if (this.#gate === null) return log.append(this.time, event)
    // `run.finished` is the last event of a run.
    const isLast = event.type === "run.finished"
    if (isLast)
      for (const violated of this.#gate.violationsOf(event)) log.append(this.time, violated)
    log.append(this.time, event)
    if (!isLast) for (const violated of this.#gate.follow(event)) log.append(this.time, violated)
  }

  isHalted(): boolean {
    return this.#gate !== null && this.#gate.end !== null
  }

  judge(event: ToolCalledEvent): PolicyJudgement | null {
    return this.#gate?.judge(event, this.#report) ?? null
  }

  readonly #report = (event: EmittedEvent): void => this.emit(event)

  warn(message: string): void {
    this.emit(warningOf(this.#owner.header, message))
  }

  emitted(raw: EmittedEvent, instance: Instance): boolean {
    const event = inNode(raw, instance.machine.program.lookup.chart)
    if (this.#gate?.admits(event, this.#report) === false) return false
    this.#apply(event, instance)
    this.#tally = addToTally(this.#tally, event)
    this.emit(event)
    return true
  }

  /** Updates the pending requests and the lifecycle of the run after an event of a machine. */
  #apply(event: EmittedEvent, instance: Instance): void {
    switch (event.type) {
      case "human.asked":
      case "user.awaited":
        this.requests.open(event.request, instance)
        break
      case "human.answered":
      case "request.expired":
        this.requests.close(event.id, instance)
        break
      case "user.said":
        this.requests.close(event.id, instance)
        if (event.id !== noRequestId) return
        this.#lifecycle.apply("startInvocation")
        this.#owner.startInvocation()
        break
      case "invocation.finished":
        this.#lifecycle.apply("finishInvocation")
        break
      case "deadline.passed":
        if (instance.parent === null) this.#isOverdue = true
        break
      default:
    }
  }

  instanceStopped(instance: Instance): void {
    this.requests.closeAll(instance)
    this.#parts.watch?.stopped(instance)
  }

  finished(output: unknown): void {
    const outcome = output as TurnOutput
    const end = this.#gate?.end ?? null
    if (end !== null) this.#owner.close(end.status, end.error)
    else this.#owner.close(statusOf(outcome, this.#stoppedAs), outcome.error)
  }

  failed(cause: unknown): void {
    this.#owner.failed(cause)
  }
}

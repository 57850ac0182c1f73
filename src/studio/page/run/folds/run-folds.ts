import type { RunEvent, RunResult } from "../../../api.js"
import { ActivityTracker } from "../../../../serving/display/agent-activity.js"
import { BranchCounter } from "../../../../serving/display/branch-progress.js"
import { UsageCounter } from "./agent-usage.js"
import { ChatLog } from "./chat-log.js"
import { Lanes } from "./lanes.js"
import { RunLog } from "./run-log.js"
import { dropOldest } from "./drop-oldest.js"
import { StateChanges } from "./state-changes.js"

/**
 * An event that reports a policy violation, or a call that was stopped because it would violate a
 * policy.
 */
export type PolicyEvent = Extract<RunEvent, { type: "policy.violated" | "policy.refused" }>

/**
 * Maximum number of events of a run that the page stores. Earlier events can be loaded from the
 * server again.
 */
export const maxEvents = 20_000

/**
 * Fraction of the stored events that is dropped when there are too many. A larger fraction requires
 * fewer drops.
 */
const droppedShare = 1 / 20

/**
 * All data that the page computes from the events of a run. Each event is processed only once, so
 * the time for new events does not depend on the number of earlier events. Only the latest events
 * are stored, with their calls, messages and changes. Totals, such as the usage, include all
 * events.
 */
export class RunFolds {
  readonly #most: number
  readonly #events: RunEvent[] = []
  #end = 0
  readonly #childRuns = new Set<string>()
  readonly #policyEvents: PolicyEvent[] = []
  #result: RunResult | null = null
  readonly log = new RunLog()
  readonly lanes = new Lanes()
  readonly activity = new ActivityTracker()
  readonly usage = new UsageCounter()
  readonly branches = new BranchCounter()
  readonly state = new StateChanges()
  readonly chat = new ChatLog()

  /** Creates the data for a run without events. `most` is the maximum number of events to store. */
  constructor(most = maxEvents) {
    this.#most = most
  }

  /** The latest events of the run. Older events are dropped. */
  get events(): readonly RunEvent[] {
    return this.#events
  }

  /** Number (`seq`) of the oldest event that is still stored. If it is 0, no event was dropped. */
  get first(): number {
    return this.#events[0]?.seq ?? 0
  }

  /** Number (`seq`) of the next event, which is the total number of events so far. */
  get end(): number {
    return this.#end
  }

  /** The result of the run. Null if the run has not ended. */
  get result(): RunResult | null {
    return this.#result
  }

  get policyEvents(): readonly PolicyEvent[] {
    return this.#policyEvents
  }

  /** Ids of the runs that the WorkflowAgents of this run have started, in start order. */
  get childRuns(): ReadonlySet<string> {
    return this.#childRuns
  }

  /** Updates all data of this object with the next event of the run. */
  apply(event: RunEvent): void {
    this.#events.push(event)
    this.#end = event.seq + 1
    this.lanes.apply(event, this.log.apply(event))
    this.activity.apply(event)
    this.usage.apply(event)
    this.branches.apply(event)
    this.state.apply(event)
    this.chat.apply(event)
    if (event.type === "run.finished") this.#result = event.result
    if (event.type === "policy.violated" || event.type === "policy.refused")
      this.#policyEvents.push(event)
    if (event.type === "agent.started" && event.childRun !== undefined)
      this.#childRuns.add(event.childRun)
    if (this.#events.length > this.#most) this.#drop(Math.ceil(this.#most * droppedShare))
  }

  /** Drops the oldest `count` stored events, and all data that belongs only to these events. */
  #drop(count: number): void {
    this.#events.splice(0, count)
    const { first } = this
    this.log.dropBefore(first)
    this.lanes.dropBefore(first, this.#events[0]?.at ?? 0)
    this.state.dropBefore(first)
    this.chat.dropBefore(first)
    dropOldest(this.#policyEvents, ({ seq }) => seq < first)
  }
}

/**
 * Computes the data of a run after its first `count` events. `events` must contain all of these
 * events.
 */
export function foldsAfter(events: readonly RunEvent[], count: number): RunFolds {
  const folds = new RunFolds()
  for (const event of events.slice(0, count)) folds.apply(event)
  return folds
}

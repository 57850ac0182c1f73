import type { RunEvent, RunResult } from "../../../api.js"
import { ActivityTracker } from "../../../../serving/display/agent-activity.js"
import { BranchCounter } from "../../../../serving/display/branch-progress.js"
import { UsageCounter } from "./agent-usage.js"
import { ChatLog } from "./chat-log.js"
import { Lanes } from "./lanes.js"
import { RunLog } from "./run-log.js"
import { StateChanges } from "./state-changes.js"

/** A violation of a policy, or a call that a policy has stopped. */
export type PolicyEvent = Extract<RunEvent, { type: "policy.violated" | "policy.refused" }>

/**
 * All data that the page computes from the events of a run. Each event is processed once, so the
 * time for a batch of events does not depend on the number of earlier events.
 */
export class RunFolds {
  readonly #events: RunEvent[] = []
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

  get events(): readonly RunEvent[] {
    return this.#events
  }

  /** The result of the run; null if it has not ended. */
  get result(): RunResult | null {
    return this.#result
  }

  get policyEvents(): readonly PolicyEvent[] {
    return this.#policyEvents
  }

  /** The ids of the runs that WorkflowAgents have started, in order. */
  get childRuns(): ReadonlySet<string> {
    return this.#childRuns
  }

  /** Adds the next event of the run. */
  apply(event: RunEvent): void {
    this.#events.push(event)
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
  }
}

/** Computes the data for the first `count` events of a run. */
export function foldsAfter(events: readonly RunEvent[], count: number): RunFolds {
  const folds = new RunFolds()
  for (const event of events.slice(0, count)) folds.apply(event)
  return folds
}

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicyJudgement } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { JudgedEvent } from "../../policies/monitor/judged-event.js"
import type { PolicyEnd } from "./run-policies.js"
import { RunPolicies } from "./run-policies.js"
import type { RunPolicySets } from "./run-policy-sets.js"

type Report = (event: EmittedEvent) => void

/**
 * Checks the events of one run against its policies, and stores whether a policy has ended the run.
 * The runtime asks before an event whether the policies allow it. After the event, it passes the
 * event to `follow`.
 */
export class PolicyGate {
  readonly #policies: RunPolicies
  /** Paths of the agents that a policy has prevented from starting. */
  readonly #refusedAgents = new Set<string>()
  #end: PolicyEnd | null = null

  constructor(chart: AgentChart, sets: RunPolicySets) {
    this.#policies = new RunPolicies(chart, sets)
  }

  /**
   * Status and error with which a policy has ended the run. null if no policy has ended it. After a
   * policy has ended the run, no further call may start.
   */
  get end(): PolicyEnd | null {
    return this.#end
  }

  /**
   * Returns the decision of the policies about an event that has not happened yet. Returns null if
   * they allow it. If they reject it, also calls `report` with a `policy.refused` event.
   */
  judge(event: EmittedEvent, report: Report): PolicyJudgement | null {
    if (this.#end !== null) return { action: "end" }
    const refusal = this.#policies.judge(event)
    if (refusal === null) return null
    if (refusal.event !== null) report(refusal.event)
    this.#end = refusal.end
    return refusal.judgement
  }

  /**
   * Returns true if the policies allow an event. If they reject it, returns false and calls
   * `report` with a `policy.refused` event.
   */
  admits(event: EmittedEvent, report: Report): boolean {
    if (event.type === "agent.finished")
      return this.#refusedAgents.size === 0 || !this.#refusedAgents.delete(event.path)
    if (event.type !== "agent.started" && event.type !== "model.called") return true
    if (this.judge(event, report) === null) return true
    if (event.type === "agent.started") this.#refusedAgents.add(event.path)
    return false
  }

  /**
   * Updates the state of the policies with an event that has happened. Returns a `policy.violated`
   * event for each policy that the event violates.
   */
  follow(event: JudgedEvent): readonly EmittedEvent[] {
    return this.#policies.follow(event)
  }

  /**
   * Returns a `policy.violated` event for each policy that an event would violate. Only checks the
   * event, and does not count it as happened.
   */
  violationsOf(event: JudgedEvent): readonly EmittedEvent[] {
    return this.#policies.violationsOf(event)
  }
}

export const policyGate = (chart: AgentChart, sets: RunPolicySets): PolicyGate =>
  new PolicyGate(chart, sets)

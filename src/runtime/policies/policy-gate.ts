import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicyJudgement } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { JudgedEvent } from "../../policies/monitor/judged-event.js"
import type { PolicyEnd } from "./run-policies.js"
import { RunPolicies } from "./run-policies.js"
import type { RunPolicySets } from "./run-policy-sets.js"

type Report = (event: EmittedEvent) => void

/**
 * Applies the policies to the events of one run, and remembers whether a policy has ended the run.
 * Before an event, both interpreters (the driver and the actor) ask whether the policies allow it.
 * Then they pass the event to `follow`.
 */
export class PolicyGate {
  readonly #policies: RunPolicies
  /** The agents that a policy has prevented from starting, by path. */
  readonly #refusedAgents = new Set<string>()
  #end: PolicyEnd | null = null

  constructor(chart: AgentChart, sets: RunPolicySets) {
    this.#policies = new RunPolicies(chart, sets)
  }

  /**
   * The status and error with which a policy ends the run; null if no policy ends it. If it is set,
   * no further call may start.
   */
  get end(): PolicyEnd | null {
    return this.#end
  }

  /**
   * Returns the decision of the policies about an event that is about to happen, or null if they
   * allow the event. If they refuse the event, calls `report` with the event that reports the
   * refusal.
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
   * Returns true if the policies allow an event. If they refuse it, returns false and calls
   * `report` with the event that reports the refusal.
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
   * Updates the state of the policies with an event that has happened. Returns the events that
   * report the violations of this event.
   */
  follow(event: JudgedEvent): readonly EmittedEvent[] {
    return this.#policies.follow(event)
  }

  /**
   * Returns the events that report the violations that an event would cause. Does not change the
   * state of the policies.
   */
  violationsOf(event: JudgedEvent): readonly EmittedEvent[] {
    return this.#policies.violationsOf(event)
  }
}

export const policyGate = (chart: AgentChart, sets: RunPolicySets): PolicyGate =>
  new PolicyGate(chart, sets)

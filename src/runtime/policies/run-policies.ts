import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicyJudgement } from "../../machines/contract/machine-kind.js"
import type { EmittedEvent, RunError, RunStatus } from "../../machines/contract/run-event.js"
import type { JudgedEvent } from "../../policies/monitor/judged-event.js"
import type { PolicyMonitor, PolicyViolation } from "../../policies/monitor/monitor.js"
import { policyMonitors } from "../../policies/monitor/monitor.js"
import type { Policy, ViolationAction } from "../../policies/policy.js"
import type { RunPolicySets } from "./run-policy-sets.js"

type PolicyEvent = Extract<EmittedEvent, { type: "policy.refused" | "policy.violated" }>

/** Status and error of a run that a policy ends. */
export interface PolicyEnd {
  readonly status: Extract<RunStatus, "failed" | "limit">
  readonly error: RunError
}

/** The decision about an event that would violate a policy. */
export interface PolicyRefusal {
  readonly judgement: PolicyJudgement
  /**
   * Event that reports that the policy has rejected an event. null if a person is asked for an
   * approval instead.
   */
  readonly event: PolicyEvent | null
  /** Status and error with which the run ends. null if the run continues after the decision. */
  readonly end: PolicyEnd | null
}

/**
 * The policies of one run and their current state (docs/policies.md#enforce-policies). All
 * decisions depend only on the events of the run, so a replay makes the same decisions.
 */
export class RunPolicies {
  readonly #monitors: readonly PolicyMonitor[]
  readonly #enforce: boolean

  constructor(chart: AgentChart, { sets, enforce }: RunPolicySets) {
    this.#monitors = sets.map((set) => policyMonitors(chart, set)())
    this.#enforce = enforce
  }

  /**
   * Returns the decision about an event that has not happened yet and would violate a policy.
   * Returns null if the event may happen.
   */
  judge(event: JudgedEvent): PolicyRefusal | null {
    if (!this.#enforce) return null
    let first: { readonly policy: Policy; readonly action: Action } | null = null
    for (const monitor of this.#monitors)
      for (const policy of monitor.violatedBy(event)) {
        const action = actionOf(policy, event, monitor)
        if (action !== null && (first === null || rank[action] < rank[first.action]))
          first = { policy, action }
      }
    return first === null ? null : refusalOf(first.policy, first.action, event)
  }

  /**
   * Updates the state of the policies with an event that has happened. Returns a `policy.violated`
   * event for each policy that the event violates.
   */
  follow(event: JudgedEvent): readonly PolicyEvent[] {
    let events: PolicyEvent[] | null = null
    for (const monitor of this.#monitors) {
      // The approval must be read before `follow` processes the call, because it is no longer
      // available afterwards.
      const isApproved = this.#enforce && event.type === "tool.called" && monitor.isApproved(event)
      for (const violation of monitor.follow(event)) {
        const isPermitted = isApproved && violation.onViolation === "ask"
        if (!isPermitted) (events ??= []).push(violatedEvent(violation, event))
      }
    }
    return events ?? none
  }

  /**
   * Returns a `policy.violated` event for each policy that an event would violate. Only checks the
   * event, and does not count it as happened.
   */
  violationsOf(event: JudgedEvent): readonly PolicyEvent[] {
    return this.#monitors.flatMap((monitor) =>
      monitor
        .violatedBy(event)
        .map(({ name, line, description }) =>
          violatedEvent({ policy: name, line, description }, event),
        ),
    )
  }
}

const none: readonly never[] = []

type Action = Exclude<ViolationAction, "report">

const rank: Readonly<Record<Action, number>> = { fail: 0, refuse: 1, ask: 2 }

/**
 * Returns the action of a policy for an event that would violate it. `fail` ends the run, `refuse`
 * rejects the event, and `ask` requires an approval. Returns null if the event may happen.
 */
function actionOf(policy: Policy, event: JudgedEvent, monitor: PolicyMonitor): Action | null {
  if (!policy.enforce || policy.onViolation === "report") return null
  if (policy.onViolation === "fail" || policy.onViolation === "refuse") return policy.onViolation
  if (event.type !== "tool.called") return "refuse"
  if (policy.onViolation === "ask") return monitor.isApproved(event) ? null : "ask"
  const isSatisfied = !monitor.violatedBy(event, { approved: true }).includes(policy)
  return isSatisfied ? "ask" : "refuse"
}

function refusalOf(policy: Policy, action: Action, event: JudgedEvent): PolicyRefusal {
  const { name, line, description, rule } = policy
  const { agent, path, branch } = event
  const why = description === null ? "" : `: ${description.trim()}`
  if (action === "ask")
    return {
      judgement: { action, message: `The policy "${name}" requires an approval${why}` },
      event: null,
      end: null,
    }
  const message = `the policy "${name}" does not allow it${why}`
  const refused: PolicyEvent = {
    type: "policy.refused",
    policy: name,
    line,
    message,
    ...callOf(event),
    agent,
    path,
    branch,
  }
  if (action === "refuse" && event.type === "tool.called")
    return { judgement: { action, message }, event: refused, end: null }
  const what =
    event.type === "tool.called"
      ? `the call of "${event.tool}"`
      : event.type === "model.called"
        ? "a model call"
        : "the start"
  const error: RunError = {
    code: "policy_violation",
    agent,
    message: `the policy "${name}" does not allow ${what} of agent "${agent}"${why}`,
  }
  const status = rule.pattern === "budget" ? "limit" : "failed"
  return { judgement: { action: "end" }, event: refused, end: { status, error } }
}

function violatedEvent(
  { policy, line, description }: Pick<PolicyViolation, "policy" | "line" | "description">,
  event: JudgedEvent,
): PolicyEvent {
  const { agent, path, branch } = event
  const why = description === null ? "" : `: ${description.trim()}`
  return {
    type: "policy.violated",
    policy,
    line,
    message: `the run violates the policy "${policy}"${why}`,
    ...callOf(event),
    agent,
    path,
    branch,
  }
}

const callOf = (event: JudgedEvent): Pick<PolicyEvent, "tool" | "callId" | "arguments"> =>
  event.type === "tool.called"
    ? { tool: event.tool, callId: event.callId, arguments: event.arguments }
    : {}

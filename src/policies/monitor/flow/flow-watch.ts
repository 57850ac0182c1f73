import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "../judged-event.js"
import { isInside } from "../../atom.js"
import type { Policy, PolicySet } from "../../policy.js"
import type { ChartNames } from "../chart-names.js"
import type { PolicyWatch, ReadOccurrences, WatchedPolicy } from "../policy-watch.js"
import { FlowFollower } from "./flow-follower.js"
import type { FlowEndpoints } from "../../flow-endpoints.js"
import { flowReading } from "./flow-reading.js"
import type { Reached } from "./turn-data.js"

/**
 * Compiles a `noFlow` policy (docs/policies.md#data-flow). An event violates the policy if it
 * passes data from a source to a sink.
 */
export function watchFlow(
  policy: Policy,
  endpoints: FlowEndpoints,
  set: PolicySet,
  chart: AgentChart,
  names: ChartNames,
): WatchedPolicy {
  const charts = [chart, ...Object.values(chart.charts ?? {})]
  const hasAgentTools = charts.some(({ tools }) =>
    Object.values(tools).some(({ type }) => type === "AgentTool"),
  )
  const source = { chart, set, endpoints, hasAgentTools }
  return {
    policy,
    reading: flowReading(endpoints, names),
    open: () => new FlowWatch(policy, endpoints, new FlowFollower(chart, names, source)),
  }
}

class FlowWatch implements PolicyWatch {
  readonly #policy: Policy
  readonly #endpoints: FlowEndpoints
  readonly #follower: FlowFollower

  constructor(policy: Policy, endpoints: FlowEndpoints, follower: FlowFollower) {
    this.#policy = policy
    this.#endpoints = endpoints
    this.#follower = follower
  }

  get isActive(): boolean {
    return this.#follower.isActive
  }

  violates(event: JudgedEvent, read: ReadOccurrences): boolean {
    const reached = this.#follower.reachedBy(event)
    return reached.length > 0 && this.#violatesAt(reached, event, read)
  }

  #violatesAt(reached: readonly Reached[], event: JudgedEvent, read: ReadOccurrences): boolean {
    if (!reached.some(([kind, name]) => this.#endpoints.isSink(kind, name))) return false
    const { agent, path } = event
    const { inside } = this.#policy
    const within = this.#follower.framesOf(path)
    if (inside !== null && !isInside(inside, { agent, within })) return false
    const isCall = event.type === "tool.called"
    return !(isCall && this.#endpoints.isCleanedByApproval && read()[0]?.approved === true)
  }

  follow(event: JudgedEvent, read: ReadOccurrences): boolean {
    const isViolated = this.violates(event, read)
    this.#follower.follow(event, read)
    return isViolated
  }
}

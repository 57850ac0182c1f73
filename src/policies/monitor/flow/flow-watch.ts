import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "../judged-event.js"
import { isInside } from "../../atom.js"
import type { Policy, PolicySet } from "../../policy.js"
import type { ChartNames } from "../chart-names.js"
import type { PolicyWatch } from "../policy-watch.js"
import { FlowFollower } from "./flow-follower.js"
import { flowPlaces } from "./flow-places.js"

/**
 * Follows a policy about data flow (docs/policies.md#data-flow). Returns null for other policies. An
 * event violates the policy if data that derives from a source reaches a sink with the event.
 */
export function watchFlow(
  policy: Policy,
  set: PolicySet,
  chart: AgentChart,
  names: ChartNames,
): PolicyWatch | null {
  const places = flowPlaces(policy)
  if (places === null) return null
  const follower = new FlowFollower(chart, names, { chart, set, places })
  const reaches = (event: JudgedEvent, isApproved: boolean): boolean => {
    const { agent, path } = event
    const within = follower.framesOf(path)
    if (policy.inside !== null && !isInside(policy.inside, { agent, within })) return false
    const isCall = event.type === "tool.called"
    if (isCall && isApproved && places.approvalCleans) return false
    return follower.reachedBy(event).some(([kind, name]) => places.isSink(kind, name))
  }
  return {
    policy,
    violates: (event, [occurrence]) => reaches(event, occurrence?.approved === true),
    follow(event, [occurrence]) {
      const isViolated = reaches(event, occurrence?.approved === true)
      follower.follow(event)
      return isViolated
    },
  }
}

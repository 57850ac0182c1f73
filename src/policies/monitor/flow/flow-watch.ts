import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "../judged-event.js"
import { isInside } from "../../atom.js"
import type { Policy, PolicySet } from "../../policy.js"
import type { ChartNames } from "../chart-names.js"
import type { PolicyWatch, ReadOccurrences } from "../policy-watch.js"
import { FlowFollower } from "./flow-follower.js"
import { flowPlaces } from "./flow-places.js"

const readEvents = new Set([
  "run.started",
  "agent.started",
  "agent.finished",
  "model.called",
  "tool.called",
  "tool.finished",
  "state.changed",
  "edge.followed",
  "parallel.joined",
  "human.answered",
  "user.said",
] as const)

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
  const reaches = (event: JudgedEvent, read: ReadOccurrences): boolean => {
    const reached = follower.reachedBy(event)
    if (!reached.some(([kind, name]) => places.isSink(kind, name))) return false
    const { agent, path } = event
    const within = follower.framesOf(path)
    if (policy.inside !== null && !isInside(policy.inside, { agent, within })) return false
    const isCall = event.type === "tool.called"
    return !(isCall && places.approvalCleans && read()[0]?.approved === true)
  }
  return {
    policy,
    events: readEvents,
    violates: (event, read) => reaches(event, read),
    follow(event, read) {
      const isViolated = reaches(event, read)
      follower.follow(event, read)
      return isViolated
    },
  }
}

import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { NamePattern } from "../../policies/atom.js"
import { matchesAny } from "../../policies/atom.js"
import type { FlowEndpoints, NoFlowRule } from "../../policies/flow-endpoints.js"
import { flowEndpoints } from "../../policies/flow-endpoints.js"
import type { FlowEndpointKind, PolicySet } from "../../policies/policy.js"
import type { FlowStep } from "./flow-state.js"
import { flowStep } from "./flow-state.js"

/**
 * The sources and sinks of one `noFlow` policy during the data flow analysis. Also stores the
 * shortest data path to a sink that was found so far.
 */
export interface FlowRule extends FlowEndpoints {
  readonly chart: AgentChart
  readonly set: PolicySet
  /**
   * Whether undeclared functions and toolsets are assumed to pass on all data that they can read.
   * If false, they are assumed to pass on no data.
   */
  readonly isPessimistic: boolean
  /**
   * Calls `follow` and returns its result. During the call, `agents` (outermost first) are added to
   * the agents that enclose the current location. Needed for policies that apply only inside
   * certain agents.
   */
  inside<Result>(agents: readonly string[], follow: () => Result): Result
  /**
   * Records that data has reached a possible sink. Has no effect if `step` is null or the policy
   * does not name the sink.
   */
  reach(kind: FlowEndpointKind, name: string, step: FlowStep | null): void
  /**
   * The tools that the policy names as sources or sinks. Each `*` in a name is replaced by `x`, so
   * that the pattern becomes the name of an example tool.
   */
  readonly namedTools: readonly string[]
  /** Ids of the MachineAgents that the analysis has visited so far. */
  readonly machines: Set<string>
  /**
   * Returns the last step of the shortest data path from a source to a sink that was found so far.
   * Returns null if no sink was reached.
   */
  shortestPath(): FlowStep | null
}

export function flowRule(
  rule: NoFlowRule,
  inside: NamePattern | null,
  chart: AgentChart,
  set: PolicySet,
  isPessimistic: boolean,
): FlowRule {
  const endpoints = flowEndpoints(rule)
  let shortest: FlowStep | null = null
  let around: readonly string[] = []
  return {
    ...endpoints,
    chart,
    set,
    isPessimistic,
    inside(agents, follow) {
      const before = around
      around = [...before, ...agents]
      const result = follow()
      around = before
      return result
    },
    reach(kind, name, step) {
      if (step === null) return
      if (inside !== null && !around.some((agent) => matchesAny(inside, agent))) return
      if (!endpoints.isSink(kind, name)) return
      const reached = flowStep(kind, name, step.agent, step)
      if (shortest === null || lengthOf(reached) < lengthOf(shortest)) shortest = reached
    },
    namedTools: [
      ...new Set(
        [...rule.from, ...rule.to].flatMap(({ kind, names }) =>
          kind === "result" || kind === "arguments" || kind === "request"
            ? names.map((name) => name.replaceAll("*", "x"))
            : [],
        ),
      ),
    ],
    machines: new Set(),
    shortestPath: () => shortest,
  }
}

function lengthOf(step: FlowStep): number {
  let length = 0
  for (let each: FlowStep | null = step; each !== null; each = each.from) length++
  return length
}

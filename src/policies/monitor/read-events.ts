import type { Atom } from "../atom.js"
import { matchesAny } from "../atom.js"
import { atomsOf } from "../atoms-of.js"
import type { OccurrenceKind } from "../occurrence.js"
import type { Policy, PolicyActivity, PolicySet } from "../policy.js"
import type { ChartNames } from "./chart-names.js"
import type { JudgedEvent } from "./judged-event.js"

type EventType = JudgedEvent["type"]

const eventsOfKind: Readonly<Record<OccurrenceKind, readonly EventType[]>> = {
  // A call by a ToolNode, or by a host function that may call tools, starts with an agent.
  call: ["tool.called", "agent.started"],
  result: ["tool.finished", "agent.finished"],
  approval: ["human.answered"],
  rejection: ["human.answered"],
  start: ["agent.started"],
  finish: ["agent.finished"],
  model: ["model.called"],
  write: ["state.changed"],
  answer: ["human.answered", "user.said"],
  handoff: ["handoff"],
  run: ["run.started", "run.finished", "invocation.finished"],
}

/**
 * Selects the run events that are needed to check a policy. The policy restricts the order or
 * number of occurrences, such as tool calls.
 */
export interface EventFilter {
  /** Returns whether the policy reads events with the type and the tool or agent of this event. */
  reads(event: JudgedEvent): boolean
  /**
   * Returns whether the policy also depends on the agents that enclose this agent. This is the case
   * if the policy applies only inside agents with other names.
   */
  readsAncestorsOf(agent: string): boolean
}

export function eventFilter(
  policy: Policy,
  names: ChartNames,
  { functions }: Pick<PolicySet, "functions">,
): EventFilter {
  const atoms = atomsOf(policy)
  const types = eventsOf(policy)
  const hasCalls = Object.values(functions).some(({ mayCall }) => mayCall.length > 0)
  const activities = policy.rule.pattern === "notTogether" ? policy.rule.activities : []
  const scope = "name" in policy.per ? policy.per.name : null
  const matches = (kinds: readonly OccurrenceKind[], name: string): boolean =>
    atoms.some((atom) => kinds.includes(atom.kind) && matchesAny(atom.names, name))
  const opens = (kind: "agent" | "call", name: string): boolean =>
    activities.some((one) => one.kind === kind && matchesAny(one.names, name))
  const ancestors = [policy, ...atoms].flatMap(({ inside }) => (inside === null ? [] : [inside]))
  return {
    readsAncestorsOf: (agent) => ancestors.some((inside) => !matchesAny(inside, agent)),
    reads(event) {
      if (!types.has(event.type)) return false
      switch (event.type) {
        case "tool.called":
          return hasCalls || matches(["call"], event.tool) || opens("call", event.tool)
        case "tool.finished":
          return matches(["result"], event.tool) || opens("call", event.tool)
        case "model.called":
          return matches(["model"], names.modelOf(event))
        case "agent.started":
        case "agent.finished": {
          const { agent, kind, type } = event
          if (hasCalls || kind === "ToolNode" || agent === scope || opens("agent", agent))
            return true
          if (matches(type === "agent.started" ? ["start"] : ["finish"], agent)) return true
          // When an agent ends, all agents and calls inside it end too.
          return (
            type === "agent.finished" && (scope !== null || opensInside(activities, event.kind))
          )
        }
        default:
          return true
      }
    },
  }
}

/**
 * Returns whether agents or tool calls that a `notTogether` policy names can run inside an agent of
 * this kind. This is true for all kinds except HumanAgent and WaitAgent.
 */
const opensInside = (activities: readonly PolicyActivity[], kind: string): boolean =>
  activities.length > 0 && kind !== "HumanAgent" && kind !== "WaitAgent"

/**
 * Returns the types of run events that are needed to check a policy. The policy restricts the order
 * or number of occurrences, such as tool calls.
 */
function eventsOf(policy: Policy): ReadonlySet<EventType> {
  const { rule, per } = policy
  const activation: readonly EventType[] = ["agent.started", "agent.finished", "parallel.joined"]
  return new Set([
    ...atomsOf(policy).flatMap(({ kind }: Atom) => eventsOfKind[kind]),
    ...(rule.pattern === "whenever" ? eventsOfKind.run : []),
    ...(rule.pattern === "notTogether"
      ? ([...activation, "tool.called", "tool.finished"] as const)
      : []),
    ...(per.type === "invocation" ? (["user.said"] as const) : []),
    ...(per.type === "agent" || per.type === "iteration" ? activation : []),
    ...(per.type === "iteration" ? (["loop.iterated"] as const) : []),
  ])
}

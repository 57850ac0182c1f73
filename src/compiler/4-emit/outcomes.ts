import type {
  ChartTransition,
  NamedAction,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { FinalKey, Next, Site } from "./site.js"
import { finalTarget, targetOf } from "./site.js"

const applyResult = ({ place }: Site): NamedAction => ({ type: "applyResult", params: { place } })

const leave = ({ place }: Site, upTo: string, outcome: Outcome): NamedAction => ({
  type: "leave",
  params: { place, upTo, outcome },
})

/** Leaves for good: out of every container and branch, to a final state of the machine. */
const leaveMachine = (site: Site, outcome: Outcome & FinalKey): Next => ({
  target: finalTarget(site.draft, "", outcome),
  actions: [leave(site, "", outcome)],
})

/** So many are named of the agents that are skipped, the others counted: a chart that named all at each agent would grow with their square. */
const namedSkips = 10

/** What the machines `fan` and `workflowGraph` need to know of `subAgentExitFlow`: their agents have no transitions of their own. */
export const exitScopeOf = ({ draft }: Site): { readonly subAgentExitFlow?: "agent" } =>
  draft.workflow.settings.subAgentExitFlow === "agent" ? { subAgentExitFlow: "agent" } : {}

/** `exitFlow` ends the workflow, and a warning names the agents that it skips (docs/semantics.md#turns). */
function exitOf(site: Site, next: Next): Next {
  if (exitScopeOf(site).subAgentExitFlow === "agent" && !site.isRoot) return next
  const { target, actions } = leaveMachine(site, "exited")
  const { place, skips } = site
  if (skips.length === 0) return { target, actions }
  const more = skips.length > namedSkips ? { more: skips.length - namedSkips } : {}
  return {
    target,
    actions: [
      { type: "warnSkipped", params: { place, agents: skips.slice(0, namedSkips), ...more } },
      ...actions,
    ],
  }
}

/**
 * `escalate` stops every container up to the branch, whose siblings finish first, or up to the root. In the adk dialect it
 * ends the loops above: the one around the agent at once, those further up when what they hold has come to its end.
 */
export function escalationOf(site: Site, next: Next): Next {
  if (site.draft.workflow.dialect === "adk") {
    const note: NamedAction = { type: "noteEscalation", params: { place: site.place } }
    const end = loopEnd(site) ?? next
    return { target: end.target, actions: [note, ...end.actions] }
  }
  const boundary = site.boundaries.find((around) => around.type === "branch")
  if (boundary === undefined) return leaveMachine(site, "escalated")
  return {
    target: finalTarget(site.draft, boundary.scope, "escalated"),
    actions: [leave(site, boundary.scope, "escalated")],
  }
}

/** Where an agent that stands right inside a loop goes when the loop is escalated out of; null for any other agent. */
function loopEnd({ draft, place, loops }: Site): Next | null {
  const loop = place.slice(0, place.lastIndexOf("."))
  if (loops.at(-1) !== loop) return null
  return {
    target: finalTarget(draft, loop, "done"),
    actions: [{ type: "endLoop", params: { place: loop, reason: "escalate" } }],
  }
}

/** Ways on from a container that has ended: out of the loop that it stands in when an agent inside has escalated (adk), else on. */
export function endTransitions(
  site: Site,
  next: Next,
  before: readonly NamedAction[] = [],
): Transitions {
  const end = site.draft.workflow.dialect === "adk" ? loopEnd(site) : null
  const guard = { type: "loopEscalated", params: { place: site.loops.at(-1) ?? "" } }
  return [...(end === null ? [] : [transition(guard, end, before)]), transition(null, next, before)]
}

/** A failure goes up to the nearest branch whose block does not fail at once, else it fails the machine. */
export function failureOf(site: Site): Next {
  const boundary = site.boundaries.find(
    (around) => around.type === "host" || around.failurePolicy !== "fail-fast",
  )
  if (boundary === undefined) return leaveMachine(site, "failed")
  if (boundary.type === "host") {
    const { place } = boundary
    return {
      target: targetOf(site.draft, `${place}.thinking`),
      actions: [leave(site, place, "failed"), { type: "recordFailure", params: { place } }],
    }
  }
  return {
    target: finalTarget(site.draft, boundary.scope, "failed"),
    actions: [leave(site, boundary.scope, "failed")],
  }
}

export const limitOf = (site: Site): Next => leaveMachine(site, "limited")

export const transition = (
  guard: ChartTransition["guard"] | null,
  { target, actions }: Next,
  before: readonly NamedAction[] = [],
): ChartTransition => ({
  ...(guard == null ? {} : { guard }),
  target,
  ...(before.length + actions.length === 0 ? {} : { actions: [...before, ...actions] }),
})

/**
 * Every way in which the child at a site may end. `handoffs` stand between: they are the ways of a team's member.
 * `runsAgents`: it is a machine of several agents, one of which may have escalated (adk).
 * The last one, without a guard, is the failure, so that no ending is without a way on.
 */
export function turnTransitions(
  site: Site,
  next: Next,
  handoffs: Transitions = [],
  runsAgents = false,
): Transitions {
  const apply = [applyResult(site)]
  const end = site.draft.workflow.dialect === "adk" && runsAgents ? loopEnd(site) : null
  return [
    ...(end === null ? [] : [transition({ type: "turnEscalates" }, end, apply)]),
    transition({ type: "completed" }, next, apply),
    ...handoffs,
    transition({ type: "exited" }, exitOf(site, next), apply),
    transition({ type: "escalated" }, escalationOf(site, next), apply),
    transition({ type: "limited" }, limitOf(site), apply),
    {
      guard: { type: "stopped" },
      actions: [{ type: "keepWrites", params: { place: site.place } }],
    },
    transition(null, failureOf(site), apply),
  ]
}

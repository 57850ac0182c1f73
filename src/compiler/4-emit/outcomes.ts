import type {
  ChartTransition,
  NamedAction,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { LoopExitReason, Outcome } from "../../machines/contract/run-event.js"
import type { FinalKey, TransitionTarget, StatePosition } from "./state-position.js"
import { finalTarget, targetOf } from "./state-position.js"

const applyResult = ({ place }: StatePosition): NamedAction => ({
  type: "applyResult",
  params: { place },
})

const leave = ({ place }: StatePosition, upTo: string, outcome: Outcome): NamedAction => ({
  type: "leave",
  params: { place, upTo, outcome },
})

/**
 * Returns the transition that ends the whole machine with an outcome. It leaves all containers and
 * branches around the agent at `site`, and enters a final state of the machine.
 */
const leaveMachine = (site: StatePosition, outcome: FinalKey): TransitionTarget => ({
  target: finalTarget(site.draft, "", outcome),
  actions: [leave(site, "", outcome)],
})

/**
 * Maximum number of skipped agents that a warning lists by name. Further agents are only counted,
 * because a chart that lists all skipped agents at each agent would have quadratic size.
 */
const namedSkips = 10

/**
 * Returns the setting `subAgentExitFlow` for the input of machines such as `fan` and
 * `workflowGraph`. For other agents, transitions in the chart implement the setting. Agents in
 * these machines have no such transitions.
 */
export const exitScopeOf = ({ draft }: StatePosition): { readonly subAgentExitFlow?: "agent" } =>
  draft.workflow.settings.subAgentExitFlow === "agent" ? { subAgentExitFlow: "agent" } : {}

/**
 * Returns the transition that is taken if an agent ends the workflow with `exitFlow`
 * (docs/semantics.md#turns). Its actions report a warning with the names of the skipped agents.
 */
function exitOf(site: StatePosition, next: TransitionTarget): TransitionTarget {
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
 * Returns the transition that is taken if an agent escalates. In the graph-compose dialect, the
 * escalation ends all containers around the agent, up to the enclosing branch or the root. In the
 * adk dialect, it ends all enclosing loops. A loop that directly contains the agent ends
 * immediately. Every other loop ends after the container inside it has ended.
 */
export function escalationOf(site: StatePosition, next: TransitionTarget): TransitionTarget {
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

/**
 * Returns the transition that ends a loop when an agent directly inside the loop escalates. Returns
 * null if the agent is not directly inside a loop.
 */
function loopEnd({ draft, place, loops }: StatePosition): TransitionTarget | null {
  const loop = place.slice(0, place.lastIndexOf("."))
  if (loops.at(-1) !== loop) return null
  return {
    target: finalTarget(draft, loop, "done"),
    actions: [
      { type: "endLoop", params: { place: loop, reason: "escalate" satisfies LoopExitReason } },
    ],
  }
}

/**
 * Returns the transitions that are taken when a container has ended. In the adk dialect, if an
 * agent in the container escalated and the container is directly inside a loop, the loop ends. In
 * all other cases, the run continues after the container.
 */
export function endTransitions(
  site: StatePosition,
  next: TransitionTarget,
  before: readonly NamedAction[] = [],
): Transitions {
  const end = site.draft.workflow.dialect === "adk" ? loopEnd(site) : null
  const guard = { type: "loopEscalated", params: { place: site.loops.at(-1) ?? "" } }
  return [...(end === null ? [] : [transition(guard, end, before)]), transition(null, next, before)]
}

/**
 * Returns the transition that is taken if an agent fails. The nearest enclosing parallel branch or
 * host function handles the failure. The branch ends as failed, or the host function receives the
 * failure. A branch with the failure policy `fail-fast` does not handle failures. If nothing
 * handles the failure, the machine fails.
 */
export function failureOf(site: StatePosition): TransitionTarget {
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

export const limitOf = (site: StatePosition): TransitionTarget => leaveMachine(site, "limited")

export const transition = (
  guard: ChartTransition["guard"] | null,
  { target, actions }: TransitionTarget,
  before: readonly NamedAction[] = [],
): ChartTransition => ({
  ...(guard != null && { guard }),
  target,
  ...(before.length + actions.length > 0 && { actions: [...before, ...actions] }),
})

/**
 * Returns a transition for each possible outcome of the machine that a state invokes. `handoffs`
 * are additional transitions of a team member, to the agents that it can hand off to. `runsAgents`
 * is true if the machine runs several agents, each of which can escalate (adk dialect only). The
 * last transition has no guard and handles failures, so that every outcome has a transition.
 */
export function turnTransitions(
  site: StatePosition,
  next: TransitionTarget,
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

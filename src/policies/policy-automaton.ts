import { matchesAny } from "./atom.js"
import type { Automaton } from "./automaton.js"
import { violatedState } from "./automaton.js"
import { ruleAutomaton, countingAutomaton, onlyInside, withTextStates } from "./rule-automaton.js"
import type { Occurrence } from "./occurrence.js"
import type { Policy, PolicyActivity } from "./policy.js"
import { finishedOutcomes } from "./policy.js"

/**
 * Returns the automaton that detects violations of a policy. Returns null if the policy does not
 * restrict the order or the number of occurrences, such as tool calls.
 */
export function automatonOf(policy: Policy): Automaton | null {
  const counting = countingAutomaton(policy)
  if (counting !== null) return withTextStates(counting)
  const inner = innerOf(policy)
  if (inner === null) return null
  const counts = onlyInside(policy, () => true, false)
  const narrowed: Automaton = {
    ...inner,
    next: (state, occurrence) => (counts(occurrence) ? inner.next(state, occurrence) : [state]),
    reads: (occurrence) => counts(occurrence) && inner.reads(occurrence),
  }
  switch (policy.per.type) {
    case "run":
      return narrowed
    case "invocation":
      return perInvocation(narrowed)
    case "agent":
      return perActivation(narrowed, policy.per.name)
    case "iteration":
      return perIteration(narrowed, policy.per.name)
  }
}

function innerOf({ rule }: Policy): Automaton | null {
  if (rule.pattern === "notTogether") return notTogether(rule.activities)
  const automaton = ruleAutomaton(rule)
  return automaton === null ? null : withTextStates(automaton)
}

/**
 * Wraps the automaton of a policy so that each invocation is checked separately. The automaton
 * restarts at each user message that starts an invocation.
 */
const perInvocation = (inner: Automaton): Automaton => ({
  ...inner,
  next: (state, occurrence) =>
    occurrence.kind === "message" ? [inner.start] : inner.next(state, occurrence),
  reads: (occurrence) => occurrence.kind === "message" || inner.reads(occurrence),
})

const completed: Occurrence = { kind: "run", name: "completed", agent: "", within: [] }

/**
 * Applies the automaton `inner` to each turn (activation) of the agent `name`, from its start to
 * its end. The returned automaton nondeterministically chooses a turn to follow, so every turn is
 * checked. At the end of a successful turn, `inner` receives the occurrence that also ends a
 * completed run.
 */
function perActivation(inner: Automaton, name: string): Automaton {
  const isBoundary = ({ kind, activity }: Occurrence): boolean =>
    (kind === "start" || kind === "finish") && activity?.agent === name
  const over = "over"
  return {
    start: "before",
    over,
    reads: (occurrence) =>
      isBoundary(occurrence) || occurrence.kind === "dropped" || inner.reads(occurrence),
    fulfil: (state) => {
      const [id, own] = insideOf(state)
      return id === null ? state : insideState(id, inner.fulfil(own))
    },
    next(state, occurrence) {
      if (state === over) return [over]
      if (state === "before") {
        if (occurrence.kind !== "start" || !isBoundary(occurrence)) return [state]
        const id = occurrence.activity?.id ?? ""
        return [state, ...inner.next(inner.start, occurrence).map((own) => insideState(id, own))]
      }
      const [id, own] = insideOf(state)
      if (id === null) return [state]
      if (occurrence.kind === "dropped") return id.startsWith(occurrence.name) ? [over] : [state]
      const isOwn = occurrence.activity?.id === id
      if (!isOwn && !occurrence.within.some((frame) => frame.id === id)) return [state]
      const after = inner.next(own, occurrence)
      if (!isOwn || occurrence.kind !== "finish") return after.map((one) => insideState(id, one))
      const endedWell =
        occurrence.outcome !== undefined && finishedOutcomes.includes(occurrence.outcome)
      const ends = endedWell ? after.flatMap((one) => inner.next(one, completed)) : after
      return ends.map((one) => (one === violatedState ? violatedState : over))
    },
  }
}

const insideState = (id: string, own: string): string =>
  own === violatedState ? violatedState : `inside ${JSON.stringify([id, own])}`

function insideOf(state: string): readonly [id: string | null, own: string] {
  if (!state.startsWith("inside ")) return [null, state]
  // The assertion is safe, because `insideState` creates this text.
  return JSON.parse(state.slice("inside ".length)) as [string, string]
}

/**
 * Applies the automaton `inner` to each iteration of the loop `name` separately. When the next
 * iteration starts, `inner` receives the occurrence that also ends a completed run. Then it
 * restarts.
 */
function perIteration(inner: Automaton, name: string): Automaton {
  const activation = perActivation(inner, name)
  return {
    ...activation,
    reads: (occurrence) => occurrence.kind === "iterated" || activation.reads(occurrence),
    next(state, occurrence) {
      const [id, own] = insideOf(state)
      const isNext = occurrence.kind === "iterated" && occurrence.activity?.id === id
      if (id === null || !isNext) return activation.next(state, occurrence)
      return inner
        .next(own, completed)
        .map((one) => (one === violatedState ? violatedState : insideState(id, inner.start)))
    },
  }
}

/**
 * Returns an automaton that detects if both activities, such as turns of two agents, are open at
 * the same time. It nondeterministically chooses an open activity to follow. Until this activity
 * ends, the start of the other activity is a violation. An activity inside the followed activity is
 * allowed.
 */
function notTogether(activities: readonly [PolicyActivity, PolicyActivity]): Automaton {
  const isOf = (activity: PolicyActivity, { activity: frame, kind }: Occurrence): boolean => {
    if (frame === undefined) return false
    if (activity.kind === "agent")
      return kind === "start" && frame.agent !== null && matchesAny(activity.names, frame.agent)
    return kind === "call" && frame.tool !== null && matchesAny(activity.names, frame.tool)
  }
  const opens = (occurrence: Occurrence): boolean =>
    activities.some((activity) => isOf(activity, occurrence))
  const closes = ({ kind }: Occurrence): boolean => kind === "finish" || kind === "returned"
  return {
    start: "idle",
    fulfil: (state) => state,
    reads: (occurrence) =>
      opens(occurrence) ||
      occurrence.kind === "dropped" ||
      (closes(occurrence) &&
        activities.some(({ kind, names }) => {
          const name = kind === "agent" ? occurrence.activity?.agent : occurrence.activity?.tool
          return name != null && matchesAny(names, name)
        })),
    next(state, occurrence) {
      if (state === "idle") {
        const id = occurrence.activity?.id ?? ""
        const chosen = activities.flatMap((activity, index) =>
          isOf(activity, occurrence) ? [`open ${index} ${id}`] : [],
        )
        return ["idle", ...chosen]
      }
      const [, index = "", id = ""] = /^open (\d) (.*)$/su.exec(state) ?? []
      if (occurrence.kind === "dropped") return id.startsWith(occurrence.name) ? ["idle"] : [state]
      if (closes(occurrence)) return occurrence.activity?.id === id ? ["idle"] : [state]
      const other = activities[index === "0" ? 1 : 0]
      const isInsideOfChosen = occurrence.within.some((frame) => frame.id === id)
      return isOf(other, occurrence) && !isInsideOfChosen && occurrence.activity?.id !== id
        ? [violatedState]
        : [state]
    },
  }
}

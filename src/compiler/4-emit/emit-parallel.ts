import type {
  ChartState,
  Completion,
  StateMeta,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { ParallelAgentNode, Position } from "../2-resolve/agent-node.js"
import { leafMachine } from "./emit-leaf.js"
import {
  endTransitions,
  escalationOf,
  exitScopeOf,
  failureOf,
  transition,
  turnTransitions,
} from "./outcomes.js"
import { emitWhen } from "./positions.js"
import { isFan, isLeafAgent, regionsOf, shareRegions } from "./region-budget.js"
import type { FinalKey, TransitionTarget, StatePosition } from "./state-position.js"
import { Siblings, childPosition, finalTarget, metaOf } from "./state-position.js"

/**
 * Generates the state of a parallel block (docs/semantics.md#parallel-blocks). Usually it is a
 * parallel state with one region for each branch. If the block has too many branches, or if its
 * branches or its completion are only known at run time, it is a fan, which is one state that
 * invokes a machine for each branch. Drawings show both in the same way.
 */
export function emitParallel(
  agent: ParallelAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  return isFan(agent, Math.min(site.regions, site.draft.options.maxRegions))
    ? emitFan(agent, site, next)
    : emitRegions(agent, site, next)
}

function emitRegions(
  agent: ParallelAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place } = site
  const siblings = new Siblings()
  const shares = shareRegions(agent, site.regions, draft.options.maxRegions, draft.regionCounts)
  const states: Record<string, ChartState> = {}
  const branches: { scope: string; agent: string }[] = []
  for (const [index, position] of agent.subAgents.entries()) {
    const { key, segment } = siblings.next(position.agent)
    const scope = `${place}.${key}`
    branches.push({ scope, agent: position.agent.id })
    const region: StatePosition = {
      ...site,
      isRoot: false,
      team: null,
      place: scope,
      scope,
      branch: `${site.branch === null ? "" : `${site.branch}.`}${agent.id}.${index}`,
      boundaries: [
        { type: "branch", scope, failurePolicy: agent.failurePolicy },
        ...site.boundaries,
      ],
      regions: shares[index] ?? 1,
    }
    states[key] = emitRegion(region, position, agent.id, segment)
  }
  const meta = metaOf(site, agent, { branches, failurePolicy: agent.failurePolicy })
  return {
    type: "parallel",
    meta,
    tags: ["parallel"],
    entry: [{ type: "forkBranches", params: { place } }],
    states,
    onDone: joinTransitions(agent, meta, site, next),
  }
}

/**
 * Generates the region of one branch of a parallel state. It contains the state of the branch's
 * agent, and a final state for each possible outcome.
 */
function emitRegion(
  region: StatePosition,
  { agent, when }: Position,
  container: string,
  segment: string,
): ChartState {
  const { draft, place: scope } = region
  const { key } = new Siblings().next(agent)
  const inner = childPosition(region, key, segment)
  const done: TransitionTarget = { target: finalTarget(draft, scope, "done"), actions: [] }
  const state =
    regionsOf(agent, draft.options.maxRegions, draft.regionCounts) > region.regions
      ? emitInvoked(agent, inner, done)
      : draft.emitAgent(agent, inner, done)
  const choice = when === null ? {} : { [`when_${key}`]: emitWhen(inner, when, container, done) }
  const finals = Object.fromEntries(
    [...(draft.finals.get(scope) ?? [])].map((final) => [
      final,
      {
        type: "final" as const,
        entry: [{ type: "finishBranch", params: { scope, status: final } }],
      },
    ]),
  )
  return {
    tags: ["branch"],
    initial: when === null ? key : `when_${key}`,
    states: { ...choice, [key]: state, ...finals },
  }
}

/**
 * Generates a state that invokes a separate machine for a subtree of agents. It is used if the
 * subtree would exceed the maximum number of parallel regions of the current machine.
 */
function emitInvoked(
  agent: Position["agent"],
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const src = site.draft.subMachine(agent, site.place, null, site.skips)
  return {
    meta: metaOf(site, agent),
    tags: ["machine"],
    invoke: {
      id: site.place,
      src,
      input: { place: site.place },
      onDone: turnTransitions(site, next, [], true),
    },
  }
}

function joinTransitions(
  agent: ParallelAgentNode,
  meta: StateMeta,
  site: StatePosition,
  next: TransitionTarget,
): Transitions {
  const params = { place: site.place }
  const endsWith = (final: FinalKey): boolean =>
    (meta.branches ?? []).some(({ scope }) => site.draft.finals.get(scope)?.has(final) === true)
  const hasRules = Object.values(site.draft.workflow.settings.stateMerge).some(
    (rule) => rule !== "replace",
  )
  const join = [{ type: "joinBranches", params }]
  return [
    ...(hasRules
      ? [
          transition({ type: "mergeFails", params }, failureOf(site), [
            { type: "failJoin", params },
          ]),
        ]
      : []),
    ...(agent.failurePolicy === "wait-all" && endsWith("failed")
      ? [
          transition({ type: "branchFailed", params }, failureOf(site), [
            { type: "failBranches", params },
          ]),
        ]
      : []),
    ...(endsWith("escalated")
      ? [transition({ type: "branchEscalated", params }, escalationOf(site, next), join)]
      : []),
    ...endTransitions(site, next, join),
  ]
}

/**
 * Returns the number of branches that must succeed before a parallel block completes. Returns
 * undefined if the block completes after all branches have ended.
 */
const quorumOf = (completion: Completion): number | undefined =>
  completion === "all" ? undefined : completion === "first-success" ? 1 : completion.quorum

function emitFan(
  agent: ParallelAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const quorum = quorumOf(agent.completion)
  const siblings = new Siblings()
  const branches = agent.subAgents.map((position, index) => {
    const { key, segment } = siblings.next(position.agent)
    const src =
      isLeafAgent(position.agent) && position.when === null
        ? leafMachine(position.agent, site.draft.workflow)
        : site.draft.subMachine(
            position.agent,
            `${site.place}.${index}.${key}`,
            position.when === null ? null : { condition: position.when, container: agent.id },
            site.skips,
          )
    const when = quorum === undefined || position.when === null ? null : position.when
    return { agent: position.agent.id, src, segment, ...(when !== null && { when }) }
  })
  const { failurePolicy, maxConcurrency, forEach, onEscalate } = agent
  return {
    meta: metaOf(site, agent),
    tags: ["parallel", "fan"],
    invoke: {
      id: site.place,
      src: "fan",
      input: {
        place: site.place,
        branches,
        failurePolicy,
        maxConcurrency,
        ...exitScopeOf(site),
        ...(quorum !== undefined && { quorum }),
        ...(forEach !== null && { forEach }),
        ...(onEscalate === "cancel" && { onEscalate }),
      },
      onDone: turnTransitions(site, next, [], true),
    },
  }
}

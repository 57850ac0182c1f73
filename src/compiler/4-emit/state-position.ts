import type {
  ChartState,
  FailurePolicy,
  NamedAction,
  StateMeta,
} from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { AgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import type { RegionCounts } from "./region-budget.js"
import { KeyRing } from "./state-keys.js"

/**
 * A machine that is being generated. All functions that generate parts of the machine share this
 * object.
 */
export interface MachineDraft {
  readonly key: string
  readonly workflow: WorkflowTree
  readonly options: EmitOptions
  /**
   * Generates the state of an agent of any type at the position `site`. `next` is the transition
   * that follows the agent.
   */
  readonly emitAgent: (agent: AgentNode, site: StatePosition, next: TransitionTarget) => ChartState
  /** Generates a separate machine for a subtree of agents and returns the key of the machine. */
  readonly subMachine: (
    agent: AgentNode,
    name: string,
    when: BranchCondition | null,
    skips: readonly string[],
  ) => string
  /**
   * Keys of the final states that are the target of at least one transition, by path of their
   * parent state. For final states at the top of the machine, this path is `""`.
   */
  readonly finals: Map<string, Set<FinalKey>>
  /**
   * Caches the maximum number of parallel regions that are active at the same time in each agent.
   */
  readonly regionCounts: RegionCounts
}

/**
 * The `when` condition of a branch that is a separate machine, and the id of the parallel block
 * that contains the branch.
 */
export interface BranchCondition {
  readonly condition: string
  readonly container: string
}

export interface EmitOptions {
  /**
   * Maximum number of parallel regions that one machine may use at the same time. A wider parallel
   * block becomes a fan, which runs one machine for each branch. Nested parallel blocks become
   * separate machines.
   */
  readonly maxRegions: number
}

/**
 * Key of a final state of a machine, such as `done` or `failed`. Every outcome except a handoff has
 * a final state.
 */
export type FinalKey = Exclude<Outcome, "handedOff">

/** The position of an agent in a machine. The state of the agent is generated for this position. */
export interface StatePosition {
  readonly draft: MachineDraft
  /** Path of the agent's state from the root of the machine, such as `pipeline.rounds.writer`. */
  readonly place: string
  readonly path: string
  readonly loops: readonly string[]
  readonly scope: string
  readonly branch: string | null
  /**
   * The parallel branches and host functions that contain the agent in this machine, innermost
   * first. They can handle a failure of the agent, so that the machine does not fail.
   */
  readonly boundaries: readonly Boundary[]
  /**
   * State paths of the loops and custom agents that contain the agent. Each of them counts its
   * iterations. For each of them, `path` contains a placeholder `[*]` for the current iteration.
   * Equal to `loops` if no custom agent contains the agent.
   */
  readonly counters: readonly string[]
  /** Ids of the agents that are skipped if this agent ends the workflow. */
  readonly skips: readonly string[]
  /**
   * Whether this is the root agent. If `subAgentExitFlow` is "agent", only the root agent can end
   * the workflow.
   */
  readonly isRoot: boolean
  /** Maximum number of parallel regions that the agent may use at the same time. */
  readonly regions: number
  /**
   * The team of the agent, which is a group of agents that hand off to each other. Null if the
   * agent is not in a team.
   */
  readonly team: TeamSite | null
}

/**
 * A parallel branch or a host function around an agent. It can handle a failure of the agent, so
 * that the machine does not fail.
 */
export type Boundary =
  | { readonly type: "branch"; readonly scope: string; readonly failurePolicy: FailurePolicy }
  /** A host function, which can catch the failure of an agent that it runs. */
  | { readonly type: "host"; readonly place: string }

export interface TeamSite {
  readonly place: string
  /** State paths of the team members, by agent id. */
  readonly members: ReadonlyMap<string, string>
}

/**
 * The target and the actions of a transition, for example of the transition that follows an agent.
 */
export interface TransitionTarget {
  readonly target: string
  readonly actions: readonly NamedAction[]
}

export function childPosition(
  site: StatePosition,
  key: string,
  segment: string,
  changes: Partial<StatePosition> = {},
): StatePosition {
  return {
    ...site,
    isRoot: false,
    team: null,
    place: `${site.place}.${key}`,
    path: `${site.path}/${segment}`,
    ...changes,
  }
}

export const targetOf = (draft: MachineDraft, place: string): string => `#${draft.key}.${place}`

/**
 * Returns the target id of a final state inside the state `holder`, or of the machine if `holder`
 * is empty. Also records that the final state is used, because only used final states become part
 * of the machine.
 */
export function finalTarget(draft: MachineDraft, holder: string, final: FinalKey): string {
  const used = draft.finals.get(holder)
  if (used === undefined) draft.finals.set(holder, new Set([final]))
  else used.add(final)
  return `#${draft.key}.${holder === "" ? "" : `${holder}.`}${final}`
}

export function metaOf(
  site: StatePosition,
  agent: AgentNode,
  extra: Partial<StateMeta> = {},
): StateMeta {
  const { place, path, loops, scope, branch } = site
  const outputKey =
    "outputKey" in agent && agent.outputKey !== null ? { outputKey: agent.outputKey } : {}
  const counters = site.counters.length === loops.length ? {} : { counters: site.counters }
  return {
    agent: agent.id,
    kind: agent.type,
    place,
    path,
    ...counters,
    loops,
    scope,
    branch,
    ...outputKey,
    ...extra,
  }
}

/**
 * Generates the names of the children of one container. Each child gets a unique path segment, such
 * as `writer~2`, and a unique state key. This is necessary because a container can contain the same
 * agent twice.
 */
export class Siblings {
  readonly #keys = new KeyRing()
  readonly #seen = new Map<string, number>()

  next(agent: AgentNode): { readonly key: string; readonly segment: string } {
    const seen = (this.#seen.get(agent.id) ?? 0) + 1
    this.#seen.set(agent.id, seen)
    return {
      key: this.#keys.next(agent.id),
      segment: seen === 1 ? agent.id : `${agent.id}~${seen}`,
    }
  }
}

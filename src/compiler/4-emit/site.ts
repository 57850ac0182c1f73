import type {
  ChartState,
  FailurePolicy,
  NamedAction,
  StateMeta,
} from "../../machines/contract/chart-machine.js"
import type { AgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import type { RegionCounts } from "./region-budget.js"
import { KeyRing } from "./state-keys.js"

/** One machine while it is emitted. */
export interface MachineDraft {
  readonly key: string
  readonly workflow: WorkflowTree
  readonly options: EmitOptions
  /** The state of an agent of any type. */
  readonly emitAgent: (agent: AgentNode, site: Site, next: Next) => ChartState
  /** Emits a machine of its own for a subtree and returns its key. */
  readonly subMachine: (
    agent: AgentNode,
    name: string,
    when: BranchCondition | null,
    skips: readonly string[],
  ) => string
  /** Final states that something leads to, by the state that holds them; `""` is the machine's root. */
  readonly finals: Map<string, Set<FinalKey>>
  /** How many regions each subtree opens at most, counted once. */
  readonly regionCounts: RegionCounts
}

/** The condition on a branch that is a machine of its own, and the parallel block that the branch is in. */
export interface BranchCondition {
  readonly condition: string
  readonly container: string
}

export interface EmitOptions {
  /** How many parallel regions one machine may have open at once; wider blocks become fans, deeper ones machines. */
  readonly maxRegions: number
}

export type FinalKey = "done" | "exited" | "escalated" | "failed" | "limited" | "stopped"

/** Where an agent is being emitted. */
export interface Site {
  readonly draft: MachineDraft
  /** State path from the machine's root, `pipeline.rounds.writer`. */
  readonly place: string
  readonly path: string
  readonly loops: readonly string[]
  readonly scope: string
  readonly branch: string | null
  /** The branches around it in this machine, innermost first, with the policy of their blocks. */
  readonly boundaries: readonly Boundary[]
  /** What the `[*]` of the path stand for; the loops, unless there is host code above. */
  readonly counters: readonly string[]
  /** Agents that do not run when this one ends the workflow. */
  readonly skips: readonly string[]
  /** Whether it is the root of the workflow: only its exitFlow counts under subAgentExitFlow "agent". */
  readonly isRoot: boolean
  /** Parallel regions that may still be opened below. */
  readonly regions: number
  /** Set for the members of a handoff team. */
  readonly team: TeamSite | null
}

/** What stands around an agent and keeps failures from going further up. */
export type Boundary =
  | { readonly type: "branch"; readonly scope: string; readonly failurePolicy: FailurePolicy }
  /** Host code, which may catch the failure of an agent that it runs. */
  | { readonly type: "host"; readonly place: string }

export interface TeamSite {
  readonly place: string
  /** Places of the members by agent id. */
  readonly members: ReadonlyMap<string, string>
}

/** Where a turn goes when it has ended well. */
export interface Next {
  readonly target: string
  readonly actions: readonly NamedAction[]
}

export function below(site: Site, key: string, segment: string, changes: Partial<Site> = {}): Site {
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

/** Target of a final state, which is emitted because something leads to it. */
export function finalTarget(draft: MachineDraft, holder: string, final: FinalKey): string {
  const used = draft.finals.get(holder)
  if (used === undefined) draft.finals.set(holder, new Set([final]))
  else used.add(final)
  return `#${draft.key}.${holder === "" ? "" : `${holder}.`}${final}`
}

export function metaOf(site: Site, agent: AgentNode, extra: Partial<StateMeta> = {}): StateMeta {
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

/** Path segments and state keys of the children of one container: an agent that comes twice gets two. */
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

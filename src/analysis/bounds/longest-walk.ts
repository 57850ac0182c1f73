import type { TeamPlan } from "../plan/plan.js"

/**
 * The most expensive order in which the members of a handoff team can be active. `count` is the
 * total cost, for example the number of model calls. `visits` contains how often each member is
 * active.
 */
export interface TeamWalk {
  readonly count: number
  readonly visits: readonly number[]
  /**
   * Number of handoffs in the cycle with the most handoffs. A cycle is one pass of the root agent.
   */
  readonly handoffs: number
  /**
   * Indexes of the team members in the order in which they are active, with one list for each
   * cycle. null if the team is too large, because then only an estimate is computed.
   */
  readonly cycles: readonly (readonly number[])[] | null
}

/**
 * Maximum number of steps in which `longestWalk` searches the exact result. If a team needs more
 * steps, `longestWalk` returns an upper estimate.
 */
const maxExactSteps = 20_000_000

type Team = Pick<TeamPlan, "members" | "starts" | "maxHandoffs" | "cycles">

/**
 * Returns the most expensive sequence of active members in a handoff team. Each cycle (one pass of
 * the root agent) has at most `maxHandoffs` handoffs. `costs` contains the cost of each member,
 * which is added each time that the member becomes active. The member that is active at the end of
 * a cycle determines the first member of the next cycle.
 */
export function longestWalk(team: Team, costs: readonly number[]): TeamWalk {
  const { members, maxHandoffs, cycles } = team
  const transfers = members.reduce((sum, { targets }) => sum + targets.length, 0)
  const hops = Math.min(maxHandoffs, transfers === 0 ? 0 : maxHandoffs)
  return cycles * (hops + 1) * (transfers + members.length) > maxExactSteps
    ? estimate(team, costs)
    : exactWalk({ ...team, maxHandoffs: hops }, costs)
}

/**
 * A row of the dynamic programming table for `longestWalk`. Each row belongs to a number of
 * remaining handoffs and cycles. For each team member, `best` contains the maximum cost of the rest
 * of the run if this member is active.
 */
interface Layer {
  readonly best: Float64Array
  /**
   * For each member, the index of the member to which it must hand off to reach the cost in `best`.
   * -1 means that the cycle ends with this member.
   */
  readonly choice: Int32Array
}

function exactWalk(
  { members, starts, maxHandoffs, cycles }: Team,
  costs: readonly number[],
): TeamWalk {
  /**
   * The rows of the dynamic programming table, as `layers[cycle][handoffs]`. Cycle 0 is the last
   * cycle of the run. `handoffs` is the number of remaining handoffs.
   */
  const layers: Layer[][] = []
  for (let cycle = 0; cycle < cycles; cycle++) {
    const after = layers.at(-1)?.at(-1)?.best
    const own: Layer[] = []
    for (let left = 0; left <= maxHandoffs; left++)
      own.push(layerOf(members, costs, own.at(-1)?.best, after))
    layers.push(own)
  }
  const best = layers.at(-1)?.at(-1)?.best
  const start = starts.reduce(
    (most, one) => ((best?.[one] ?? 0) > (best?.[most] ?? 0) ? one : most),
    starts[0] ?? 0,
  )
  return { count: best?.[start] ?? 0, ...follow(members, layers, start) }
}

function layerOf(
  members: Team["members"],
  costs: readonly number[],
  onward: Float64Array | undefined,
  after: Float64Array | undefined,
): Layer {
  const best = new Float64Array(members.length)
  const choice = new Int32Array(members.length)
  for (const [index, { targets, resumesAt }] of members.entries()) {
    let most = after?.[resumesAt] ?? 0
    let chosen = -1
    if (onward !== undefined) {
      for (const target of targets) {
        if ((onward[target] ?? 0) <= most) continue
        most = onward[target] ?? 0
        chosen = target
      }
    }
    best[index] = (costs[index] ?? 0) + most
    choice[index] = chosen
  }
  return { best, choice }
}

function follow(
  members: Team["members"],
  layers: readonly (readonly Layer[])[],
  start: number,
): Omit<TeamWalk, "count"> {
  const visits = members.map(() => 0)
  const cycles: number[][] = []
  for (let cycle = layers.length - 1, node = start; cycle >= 0; cycle--) {
    const own = layers[cycle] ?? []
    const walk: number[] = []
    for (let left = own.length - 1; ; left--) {
      walk.push(node)
      visits[node] = (visits[node] ?? 0) + 1
      const next = own[left]?.choice[node] ?? -1
      if (next === -1) break
      node = next
    }
    node = members[node]?.resumesAt ?? start
    cycles.push(walk)
  }
  return { visits, cycles, handoffs: Math.max(0, ...cycles.map((walk) => walk.length - 1)) }
}

/**
 * Returns an upper estimate of the cost for teams that are too large for an exact search. Assumes
 * that the most expensive reachable member is always active.
 */
function estimate(
  { members, starts, maxHandoffs, cycles }: Team,
  costs: readonly number[],
): TeamWalk {
  const reached = new Set(starts)
  // A Set iterates over members that are added during the iteration.
  for (const member of reached)
    for (const target of members[member]?.targets ?? []) reached.add(target)
  const costliest = [...reached].reduce(
    (most, one) => ((costs[one] ?? 0) > (costs[most] ?? 0) ? one : most),
    starts[0] ?? 0,
  )
  const turns = cycles * (maxHandoffs + 1)
  const cost = costs[costliest] ?? 0
  return {
    count: cost === 0 ? 0 : turns * cost,
    visits: members.map((_, index) => (index === costliest ? turns : 0)),
    handoffs: maxHandoffs,
    cycles: null,
  }
}

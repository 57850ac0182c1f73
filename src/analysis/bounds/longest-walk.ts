import type { TeamPlan } from "../plan/plan.js"

/** The most expensive path through a team, and the number of visits to each member. */
export interface TeamWalk {
  readonly count: number
  readonly visits: readonly number[]
  /** Transfers in the cycle that has most of them. */
  readonly handoffs: number
  /**
   * Members in the order in which they have the conversation, by cycle; absent where the walk is
   * only an estimate.
   */
  readonly cycles: readonly (readonly number[])[] | null
}

/** Maximum steps for an exact search. For larger teams, the result is an upper estimate. */
const maxExactSteps = 20_000_000

type Team = Pick<TeamPlan, "members" | "starts" | "maxHandoffs" | "cycles">

/**
 * The longest walk along the transfers of a team, `maxHandoffs` of them in each cycle, where a
 * member counts as often as it has the conversation. A cycle begins where the one before has left
 * the conversation.
 */
export function longestWalk(team: Team, costs: readonly number[]): TeamWalk {
  const { members, maxHandoffs, cycles } = team
  const transfers = members.reduce((sum, { targets }) => sum + targets.length, 0)
  const hops = Math.min(maxHandoffs, transfers === 0 ? 0 : maxHandoffs)
  return cycles * (hops + 1) * (transfers + members.length) > maxExactSteps
    ? estimate(team, costs)
    : exactWalk({ ...team, maxHandoffs: hops }, costs)
}

/** What the rest of a walk comes to from a member on, with so many transfers and cycles left. */
interface Layer {
  readonly best: Float64Array
  /** The member that is handed to; -1: the cycle ends here. */
  readonly choice: Int32Array
}

function exactWalk(
  { members, starts, maxHandoffs, cycles }: Team,
  costs: readonly number[],
): TeamWalk {
  /** The layers of each cycle, the last cycle first, by the transfers that are left. */
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
  for (let cycle = layers.length - 1, at = start; cycle >= 0; cycle--) {
    const own = layers[cycle] ?? []
    const way: number[] = []
    for (let left = own.length - 1; ; left--) {
      way.push(at)
      visits[at] = (visits[at] ?? 0) + 1
      const next = own[left]?.choice[at] ?? -1
      if (next === -1) break
      at = next
    }
    at = members[at]?.resumesAt ?? start
    cycles.push(way)
  }
  return { visits, cycles, handoffs: Math.max(0, ...cycles.map((way) => way.length - 1)) }
}

/**
 * Not the longest walk, but no walk is longer: the costliest member that can be reached has the
 * conversation all the time.
 */
function estimate(
  { members, starts, maxHandoffs, cycles }: Team,
  costs: readonly number[],
): TeamWalk {
  const reached = new Set(starts)
  // A set yields what is added while it is walked through.
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

import type { Arrow, Level, Picture, PictureState } from "./picture.js"

/**
 * Size limits of a readable picture: total number of states, number of states on one level, and
 * nesting depth.
 */
export interface Limits {
  readonly states: number
  readonly sideBySide: number
  readonly depth: number
}

export const readable: Limits = { states: 110, sideBySide: 12, depth: 7 }
export const everything: Limits = { states: Infinity, sideBySide: Infinity, depth: Infinity }

/**
 * Maximum number of pairs of agents that hand off to each other and are drawn with arrows. With
 * more pairs, the arrows would be unreadable and the layout would take minutes.
 */
const maxPairs = 16

interface Folding {
  readonly limits: Limits
  readonly sizes: ReadonlyMap<PictureState, number>
  readonly open: ReadonlySet<PictureState>
}

/**
 * Reduces a large picture so that it stays readable. A state with too many agents inside is folded
 * and shows their number. A long level shows only its first and last states. If most members of a
 * team can hand off to each other, a text replaces the arrows.
 */
export function foldPicture({ root, tools }: Picture, limits: Limits): Picture {
  const sizes = new Map<PictureState, number>()
  const beside: Level = { states: tools, arrows: [] }
  for (const state of [...root.states, ...tools]) countAgents(state, sizes)
  const folding: Folding = { limits, sizes, open: chooseOpen([root, beside], sizes, limits) }
  return { root: foldLevel(root, folding), tools: foldLevel(beside, folding).states }
}

const isAgent = ({ look }: PictureState): boolean =>
  !["choice", "exit", "limit", "ending", "resting"].includes(look)

/**
 * Counts the agents inside a state and stores the number in `sizes`. A container itself does not
 * count.
 */
function countAgents(state: PictureState, sizes: Map<PictureState, number>): number {
  const inside = state.regions
    .flatMap(({ states }) => states)
    .reduce((sum, inner) => sum + countAgents(inner, sizes), 0)
  const size = state.regions.length === 0 ? (isAgent(state) ? 1 : 0) : inside
  sizes.set(state, size)
  return size
}

/**
 * Returns the states whose contents are drawn. Outer states are unfolded before inner states, and
 * small states before large states of the same depth, until the limit for the number of states is
 * reached.
 */
function chooseOpen(
  levels: readonly Level[],
  sizes: ReadonlyMap<PictureState, number>,
  limits: Limits,
): ReadonlySet<PictureState> {
  const open = new Set<PictureState>()
  let total = levels.reduce((sum, level) => sum + shownIn(level, limits).length, 0)
  let candidates = levels.flatMap((level) => shownIn(level, limits))
  for (let depth = 0; depth < limits.depth && candidates.length > 0; depth++) {
    const holders = candidates.filter(({ regions }) => regions.length > 0)
    const bySize = holders.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
    for (const holder of bySize) {
      const adds = shownRegions(holder, limits).reduce(
        (sum, region) => sum + shownIn(region, limits).length,
        0,
      )
      if (total + adds > limits.states && depth > 0) continue
      total += adds
      open.add(holder)
    }
    candidates = holders
      .filter((holder) => open.has(holder))
      .flatMap((holder) =>
        shownRegions(holder, limits).flatMap((region) => shownIn(region, limits)),
      )
  }
  return open
}

/**
 * Returns the states of a level that are drawn. A level that exceeds the limit shows its first
 * states and its last two.
 */
const shownIn = ({ states }: Level, { sideBySide }: Limits): readonly PictureState[] =>
  states.length > sideBySide ? [...states.slice(0, sideBySide - 3), ...states.slice(-2)] : states

const shownRegions = ({ regions }: PictureState, { sideBySide }: Limits): readonly Level[] =>
  regions.length > sideBySide ? regions.slice(0, sideBySide - 1) : regions

function foldLevel(level: Level, folding: Folding): Level {
  const { limits, sizes } = folding
  const begin = limits.sideBySide - 3
  const shown = shownIn(level, limits)
  const states = shown.map((state) => foldState(state, folding))
  const hidden = shown.length === level.states.length ? [] : level.states.slice(begin, -2)
  const [first] = hidden
  if (first === undefined) return { states, arrows: level.arrows }
  const folded: PictureState = {
    id: first.id,
    look: "SequentialAgent",
    title: `${hidden.length} more`,
    lines: [agentsInside(hidden, sizes)],
    regions: [],
    folded: true,
    holds: agentsOf(hidden),
  }
  const inside = new Set(hidden.flatMap((state) => idsIn(state)))
  const place = (id: string | null): string | null =>
    id !== null && inside.has(id) ? folded.id : id
  const arrows = level.arrows.map(({ from, to, labels, ...arrow }): Arrow => ({
    ...arrow,
    from: place(from),
    to: place(to),
    labels: place(from) === from && place(to) === to ? labels : [],
  }))
  const seen = new Set<string>()
  const once = arrows.filter(({ from, to }) => {
    const key = JSON.stringify([from, to])
    const isNew = !seen.has(key) && !(from === folded.id && to === folded.id)
    seen.add(key)
    return isNew
  })
  return { states: [...states.slice(0, begin), folded, ...states.slice(begin)], arrows: once }
}

const idsIn = ({ id, regions }: PictureState): readonly string[] => [
  id,
  ...regions.flatMap(({ states }) => states.flatMap(idsIn)),
]

function foldState(state: PictureState, folding: Folding): PictureState {
  const { limits, sizes, open } = folding
  if (state.regions.length === 0) return state
  if (!open.has(state))
    return {
      ...state,
      lines: [...state.lines, agentsInside([state], sizes)],
      regions: [],
      folded: true,
      holds: agentsOf([state]),
    }
  const handoffs = state.regions.flatMap(({ arrows }) => arrows.filter(isHandoff))
  const quiet = new Set(handoffs.map(({ from, to }) => [from, to].sort().join(" "))).size > maxPairs
  const shown = shownRegions(state, limits).map((region) =>
    foldLevel(
      quiet ? { ...region, arrows: region.arrows.filter((arrow) => !isHandoff(arrow)) } : region,
      folding,
    ),
  )
  const rest = state.regions.slice(shown.length)
  const [first] = rest.flatMap(({ states }) => states)
  const more: readonly Level[] =
    first === undefined
      ? []
      : [
          {
            states: [
              {
                id: first.id,
                look: "ParallelAgent",
                title: `${rest.length} more branches`,
                lines: [
                  agentsInside(
                    rest.flatMap(({ states }) => states),
                    sizes,
                  ),
                ],
                regions: [],
                folded: true,
                holds: agentsOf(rest.flatMap(({ states }) => states)),
              },
            ],
            arrows: [],
          },
        ]
  return {
    ...state,
    lines: quiet ? [...state.lines, `${handoffs.length} handoffs among its members`] : state.lines,
    regions: [...shown, ...more],
  }
}

const isHandoff = ({ kind }: Arrow): boolean => kind === "handoff"

function agentsInside(
  states: readonly PictureState[],
  sizes: ReadonlyMap<PictureState, number>,
): string {
  const count = states.reduce((sum, state) => sum + (sizes.get(state) ?? 0), 0)
  return count === 1 ? "1 agent" : `${count} agents`
}

/**
 * Returns the ids of the agents in the given states, including all nested states, without
 * duplicates.
 */
function agentsOf(states: readonly PictureState[]): readonly string[] {
  const found = new Set<string>()
  const visit = ({ agent, regions }: PictureState): void => {
    if (agent !== undefined) found.add(agent)
    for (const { states: inside } of regions) inside.forEach(visit)
  }
  states.forEach(visit)
  return [...found]
}

import type { Arrow, Level, Picture, PictureState } from "./picture.js"

/**
 * Size limits of a drawing. `states` limits the total number of states, `sideBySide` the number of
 * sibling states or regions, and `depth` the nesting depth.
 */
export interface Limits {
  readonly states: number
  readonly sideBySide: number
  readonly depth: number
}

export const readable: Limits = { states: 110, sideBySide: 12, depth: 7 }
export const everything: Limits = { states: Infinity, sideBySide: Infinity, depth: Infinity }

/**
 * Maximum number of agent pairs in a team whose handoffs are drawn as arrows. With more pairs, the
 * arrows would be unreadable and the layout would take minutes.
 */
const maxPairs = 16

interface Folding {
  readonly limits: Limits
  readonly sizes: ReadonlyMap<PictureState, number>
  /**
   * The states that must be drawn because the caller requested their ids, and the states that
   * contain them.
   */
  readonly wanted: ReadonlySet<PictureState>
  readonly open: ReadonlySet<PictureState>
}

/**
 * Reduces a large picture so that it stays readable.
 *
 * - Folds states with too many agents inside. A folded state shows only the number of its agents.
 * - Omits the middle of a long list of states.
 * - Replaces the arrows of a team by a text if more than 16 pairs of agents can hand off to each
 *   other.
 *
 * Never omits or folds the states and agents whose ids are in `shown`.
 */
export function foldPicture(
  { root, tools }: Picture,
  limits: Limits,
  shown: ReadonlySet<string> = new Set(),
): Picture {
  const sizes = new Map<PictureState, number>()
  const beside: Level = { states: tools, arrows: [] }
  for (const state of [...root.states, ...tools]) countAgents(state, sizes)
  const wanted = wantedStates([...root.states, ...tools], shown)
  const choice = { limits, sizes, wanted }
  const folding: Folding = { ...choice, open: chooseOpen([root, beside], choice) }
  return { root: foldLevel(root, folding), tools: foldLevel(beside, folding).states }
}

const isAgent = ({ look }: PictureState): boolean =>
  !["choice", "exit", "limit", "ending", "resting"].includes(look)

/**
 * Counts the agents inside a state and stores the number for each state in `sizes`. A container
 * itself does not count.
 */
function countAgents(state: PictureState, sizes: Map<PictureState, number>): number {
  const inside = state.regions
    .flatMap(({ states }) => states)
    .reduce((sum, inner) => sum + countAgents(inner, sizes), 0)
  const size = state.regions.length === 0 ? (isAgent(state) ? 1 : 0) : inside
  sizes.set(state, size)
  return size
}

/** Returns the states whose id or agent id is in `ids`, and all states that contain them. */
function wantedStates(
  states: readonly PictureState[],
  ids: ReadonlySet<string>,
): ReadonlySet<PictureState> {
  const wanted = new Set<PictureState>()
  const visit = (state: PictureState): boolean => {
    const inside = state.regions
      .flatMap((region) => region.states)
      .map(visit)
      .includes(true)
    const isWanted = inside || ids.has(state.id) || ids.has(state.agent ?? "")
    if (isWanted) wanted.add(state)
    return isWanted
  }
  if (ids.size > 0) states.forEach(visit)
  return wanted
}

/**
 * Selects the states whose contents are drawn. States are unfolded until the limit for the total
 * number of states is reached. Outer states come before inner states, and at the same depth small
 * states come before large states.
 */
function chooseOpen(
  levels: readonly Level[],
  choice: Omit<Folding, "open">,
): ReadonlySet<PictureState> {
  const { limits, sizes, wanted } = choice
  const countIn = (all: readonly Level[]): number =>
    all.reduce((sum, level) => sum + shownIn(level, choice).length, 0)
  const open = new Set<PictureState>()
  let total = countIn(levels)
  let candidates = levels.flatMap((level) => shownIn(level, choice))
  for (let depth = 0; candidates.length > 0; depth++) {
    const holders = candidates.filter(
      (state) => state.regions.length > 0 && (depth < limits.depth || wanted.has(state)),
    )
    const bySize = holders.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
    for (const holder of bySize) {
      const adds = countIn(shownRegions(holder, choice))
      if (total + adds > limits.states && depth > 0 && !wanted.has(holder)) continue
      total += adds
      open.add(holder)
    }
    candidates = holders
      .filter((holder) => open.has(holder))
      .flatMap((holder) =>
        shownRegions(holder, choice).flatMap((region) => shownIn(region, choice)),
      )
  }
  return open
}

/**
 * Returns the sibling states to draw. If there are more states than the limit, returns the first
 * states and the last two.
 */
function shownIn(
  { states }: Level,
  { limits: { sideBySide }, wanted }: Omit<Folding, "open">,
): readonly PictureState[] {
  const begin = sideBySide - 3
  return states.length > sideBySide && !states.slice(begin, -2).some((state) => wanted.has(state))
    ? [...states.slice(0, begin), ...states.slice(-2)]
    : states
}

function shownRegions(
  { regions }: PictureState,
  { limits: { sideBySide }, wanted }: Omit<Folding, "open">,
): readonly Level[] {
  const begin = sideBySide - 1
  return regions.length > sideBySide &&
    !regions.slice(begin).some(({ states }) => states.some((state) => wanted.has(state)))
    ? regions.slice(0, begin)
    : regions
}

function foldLevel(level: Level, folding: Folding): Level {
  const { limits, sizes } = folding
  const begin = limits.sideBySide - 3
  const shown = shownIn(level, folding)
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
  const shownId = (id: string | null): string | null =>
    id !== null && inside.has(id) ? folded.id : id
  const arrows = level.arrows.map(({ from, to, labels, ...arrow }): Arrow => ({
    ...arrow,
    from: shownId(from),
    to: shownId(to),
    labels: shownId(from) === from && shownId(to) === to ? labels : [],
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
  const { sizes, open } = folding
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
  const shown = shownRegions(state, folding).map((region) =>
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

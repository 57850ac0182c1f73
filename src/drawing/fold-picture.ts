import type { Arrow, Level, Picture, PictureState } from "./picture.js"

/** More states than these together, or side by side, are no picture. */
const maxStates = 110
const maxSideBySide = 12
const maxDepth = 7
const maxHandoffs = 24

/**
 * A picture that can be read: states that hold too much are closed and say how many agents are inside, long levels keep their
 * beginning and their end, and where nearly everybody hands off to everybody this is said in words.
 */
export function foldPicture({ root, tools }: Picture): Picture {
  const sizes = new Map<PictureState, number>()
  const beside: Level = { states: tools, arrows: [] }
  for (const state of [...root.states, ...tools]) countAgents(state, sizes)
  const open = chooseOpen([root, beside], sizes)
  const fold = (level: Level): Level => foldLevel(level, open, sizes)
  return { root: fold(root), tools: fold(beside).states }
}

const isAgent = ({ look }: PictureState): boolean => look !== "choice" && look !== "ending" && look !== "resting"

/** Agents at work: what only holds others is not counted. */
function countAgents(state: PictureState, sizes: Map<PictureState, number>): number {
  const inside = state.regions.flatMap(({ states }) => states).reduce((sum, inner) => sum + countAgents(inner, sizes), 0)
  const size = state.regions.length === 0 ? (isAgent(state) ? 1 : 0) : inside
  sizes.set(state, size)
  return size
}

/** From the outside in, and at each depth the small ones first: what remains closed is what would take the most room. */
function chooseOpen(levels: readonly Level[], sizes: ReadonlyMap<PictureState, number>): ReadonlySet<PictureState> {
  const open = new Set<PictureState>()
  let total = levels.reduce((sum, level) => sum + shownIn(level).length, 0)
  let candidates = levels.flatMap(shownIn)
  for (let depth = 0; depth < maxDepth && candidates.length > 0; depth++) {
    const holders = candidates.filter(({ regions }) => regions.length > 0)
    const bySize = holders.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
    for (const holder of bySize) {
      const adds = shownRegions(holder).reduce((sum, region) => sum + shownIn(region).length, 0)
      if (total + adds > maxStates && depth > 0) continue
      total += adds
      open.add(holder)
    }
    candidates = holders.filter((holder) => open.has(holder)).flatMap((holder) => shownRegions(holder).flatMap(shownIn))
  }
  return open
}

const isLong = (count: number): boolean => count > maxSideBySide

/** The last two of a long level stay: how it ends matters as much as how it begins. */
const shownIn = ({ states }: Level): readonly PictureState[] => (isLong(states.length) ? [...states.slice(0, maxSideBySide - 3), ...states.slice(-2)] : states)

const shownRegions = ({ regions }: PictureState): readonly Level[] => (isLong(regions.length) ? regions.slice(0, maxSideBySide - 1) : regions)

function foldLevel(level: Level, open: ReadonlySet<PictureState>, sizes: ReadonlyMap<PictureState, number>): Level {
  const shown = shownIn(level)
  const states = shown.map((state) => foldState(state, open, sizes))
  const hidden = level.states.slice(shown.length === level.states.length ? level.states.length : maxSideBySide - 3, -2)
  const [first] = hidden
  if (first === undefined) return { states, arrows: level.arrows }
  const folded: PictureState = { id: first.id, look: "SequentialAgent", title: `${hidden.length} more`, lines: [agentsInside(hidden, sizes)], regions: [], folded: true }
  const inside = new Set(hidden.flatMap((state) => idsIn(state)))
  const place = (id: string | null): string | null => (id !== null && inside.has(id) ? folded.id : id)
  const arrows = level.arrows.map(({ from, to, labels }): Arrow => ({ from: place(from), to: place(to), labels: place(from) === from && place(to) === to ? labels : [] }))
  const seen = new Set<string>()
  const once = arrows.filter(({ from, to }) => {
    const key = JSON.stringify([from, to])
    const isNew = !seen.has(key) && !(from === folded.id && to === folded.id)
    seen.add(key)
    return isNew
  })
  return { states: [...states.slice(0, maxSideBySide - 3), folded, ...states.slice(maxSideBySide - 3)], arrows: once }
}

const idsIn = ({ id, regions }: PictureState): readonly string[] => [id, ...regions.flatMap(({ states }) => states.flatMap(idsIn))]

function foldState(state: PictureState, open: ReadonlySet<PictureState>, sizes: ReadonlyMap<PictureState, number>): PictureState {
  if (state.regions.length === 0) return state
  if (!open.has(state)) return { ...state, lines: [...state.lines, agentsInside([state], sizes)], regions: [], folded: true }
  const handoffs = state.regions.flatMap(({ arrows }) => arrows.filter(isHandoff)).length
  const quiet = handoffs > maxHandoffs
  const shown = shownRegions(state).map((region) => foldLevel(quiet ? { ...region, arrows: region.arrows.filter((arrow) => !isHandoff(arrow)) } : region, open, sizes))
  const rest = state.regions.slice(shown.length)
  const [first] = rest.flatMap(({ states }) => states)
  const more: readonly Level[] =
    first === undefined
      ? []
      : [{ states: [{ id: first.id, look: "ParallelAgent", title: `${rest.length} more branches`, lines: [agentsInside(rest.flatMap(({ states }) => states), sizes)], regions: [], folded: true }], arrows: [] }]
  return { ...state, lines: quiet ? [...state.lines, `${handoffs} handoffs among its members`] : state.lines, regions: [...shown, ...more] }
}

const isHandoff = ({ labels }: Arrow): boolean => labels.length === 1 && labels[0] === "hands off"

function agentsInside(states: readonly PictureState[], sizes: ReadonlyMap<PictureState, number>): string {
  const count = states.reduce((sum, state) => sum + (sizes.get(state) ?? 0), 0)
  return count === 1 ? "1 agent" : `${count} agents`
}

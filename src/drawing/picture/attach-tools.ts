import type { Arrow, Level, Picture, PictureState } from "./picture.js"

/**
 * Identifies a level of a drawing. A level contains either the states of one region or the
 * outermost states.
 */
interface LevelLocation {
  /** Ids of the states that contain this level, outermost first. Empty for the outermost states. */
  readonly containers: readonly string[]
  /**
   * Unique key of the level. It consists of the ids of the containing states and the indexes of
   * their regions.
   */
  readonly key: string
}

/**
 * The location of a state in a drawing. `levels` are the regions that contain it, outermost first.
 */
interface StateLocation {
  readonly id: string
  readonly levels: readonly LevelLocation[]
}

interface Additions {
  readonly states: PictureState[]
  readonly arrows: Arrow[]
}

/**
 * Moves the state of each AgentTool to the innermost container that contains all agents that call
 * the tool. Adds arrows from these agents to the tool. A tool whose callers are not drawn stays
 * next to the workflow.
 */
export function attachTools({ root, tools }: Picture): Picture {
  if (tools.length === 0) return { root, tools }
  const locations = new Map<string, StateLocation[]>()
  const rootLocation: LevelLocation = { containers: [], key: "" }
  for (const state of root.states) collectLocations(state, [rootLocation], locations)
  for (const tool of tools)
    collectLocations(tool, [{ containers: [], key: `tool ${tool.id}` }], locations)
  const additions = new Map<string, Additions>()
  /**
   * Maps the id of each moved tool to its new location. The location is the id of another tool if
   * the moved tool is now drawn inside that tool. It is null if the moved tool is now inside the
   * workflow.
   */
  const owners = new Map<string, string | null>()
  const isInside = (owner: string | null | undefined, tool: string): boolean =>
    owner === tool || (typeof owner === "string" && isInside(owners.get(owner), tool))
  for (const tool of tools) {
    const callers = (tool.callers ?? []).flatMap((agent) => locations.get(agent) ?? [])
    const target = sharedLevel(callers.map(({ levels }) => levels))
    if (target === null) continue
    const [, owner = null] = /^tool (\w+)/.exec(target.level.key) ?? []
    if (isInside(owner, tool.id)) continue
    owners.set(tool.id, owner)
    const added = additions.get(target.level.key) ?? { states: [], arrows: [] }
    additions.set(target.level.key, added)
    const ends = new Set(
      callers.map(({ id, levels }) => levels[target.depth + 1]?.containers.at(-1) ?? id),
    )
    added.states.push(tool)
    for (const from of ends) added.arrows.push({ from, to: tool.id, labels: [], kind: "tool" })
  }
  const rebuild = (level: Level, key: string): Level => {
    const { states: moreStates = [], arrows: moreArrows = [] } = additions.get(key) ?? {}
    return {
      states: [
        ...level.states.map((state) => withRegions(state, key)),
        ...moreStates.map((tool) => withRegions(tool, `tool ${tool.id}`)),
      ],
      arrows: [...level.arrows, ...moreArrows],
    }
  }
  const withRegions = (state: PictureState, key: string): PictureState => ({
    ...state,
    regions: state.regions.map((region, index) => rebuild(region, keyOf(key, state.id, index))),
  })
  return {
    root: rebuild(root, ""),
    tools: tools
      .filter(({ id }) => !owners.has(id))
      .map((tool) => withRegions(tool, `tool ${tool.id}`)),
  }
}

const keyOf = (outer: string, state: string, region: number): string =>
  `${outer}/${state}#${region}`

/**
 * Adds the location of each agent inside a state to the map `locations`, by agent id. An agent that
 * is hidden in a folded state has the location of this folded state.
 */
function collectLocations(
  state: PictureState,
  levels: readonly LevelLocation[],
  locations: Map<string, StateLocation[]>,
): void {
  const isDrawnAgent = state.agent !== undefined && state.regions.length === 0
  const agents = state.holds ?? (isDrawnAgent ? [state.agent ?? ""] : [])
  for (const agent of agents) {
    const known = locations.get(agent)
    if (known === undefined) locations.set(agent, [{ id: state.id, levels }])
    else known.push({ id: state.id, levels })
  }
  const outer = levels.at(-1)
  for (const [index, region] of state.regions.entries()) {
    const level: LevelLocation = {
      containers: [...(outer?.containers ?? []), state.id],
      key: keyOf(outer?.key ?? "", state.id, index),
    }
    for (const inner of region.states) collectLocations(inner, [...levels, level], locations)
  }
}

/**
 * Finds the innermost level that contains several states. A level is a region of a state, or
 * contains the outermost states. Each list contains the levels around one of the states, outermost
 * first. Returns the level and its index in the lists, or null if the states have no common level.
 */
function sharedLevel(
  lists: readonly (readonly LevelLocation[])[],
): { readonly level: LevelLocation; readonly depth: number } | null {
  const [first = []] = lists
  for (let depth = first.length - 1; depth >= 0; depth--) {
    const level = first[depth]
    if (level !== undefined && lists.every((list) => list[depth]?.key === level.key))
      return { level, depth }
  }
  return null
}

/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import type { AgentActivity, ContainerEnd } from "../serving/display/agent-activity.js"
import type { DrawnLevel, DrawnWire } from "./drawn-levels.js"
import { drawnLevels, markId, pathThroughChoices } from "./drawn-levels.js"

/**
 * Finds the elements of a drawing that a run has passed. These are arrows, choice states, start
 * marks (dots) and end marks (rings).
 */
export class TakenPath {
  readonly #levels: readonly DrawnLevel[]
  readonly #levelOf: ReadonlyMap<Element, DrawnLevel>
  readonly #statesOf: (agent: string) => readonly Element[]
  /**
   * The path of each transition or end in a drawing. The key of a transition contains its two
   * agents, as in `writer > editor`. The key of an end contains the last agent, the container and
   * the outcome.
   */
  readonly #paths = new Map<string, readonly DrawnWire[]>()

  constructor(svg: Element, statesOf: (agent: string) => readonly Element[]) {
    this.#levels = drawnLevels(svg)
    this.#levelOf = new Map(this.#levels.map((level) => [level.element, level]))
    this.#statesOf = statesOf
  }

  /**
   * Returns the SVG elements of all arrows, choice states, start marks and end marks that the run
   * has passed.
   */
  elements(activity: AgentActivity): ReadonlySet<Element> {
    const walked = new Set<DrawnWire>()
    const add = (wires: readonly DrawnWire[]): void => {
      for (const wire of wires) walked.add(wire)
    }
    for (const [from, to] of activity.transitions)
      add(this.#cachedPath(`${from} > ${to}`, () => this.#transition(from, to)))
    for (const end of activity.ends)
      add(
        this.#cachedPath(`${end.last} > ${end.container ?? ""} ${end.outcome}`, () =>
          this.#end(end),
        ),
      )
    const visited = new Set<Element>()
    for (const agent of activity.rounds.keys())
      for (const state of this.#statesOf(agent)) addWithHolders(state, visited)
    for (const level of this.#levels) add(startOf(level, visited, walked))
    return this.#passed(walked)
  }

  #cachedPath(key: string, find: () => readonly DrawnWire[]): readonly DrawnWire[] {
    const known = this.#paths.get(key) ?? find()
    this.#paths.set(key, known)
    return known
  }

  #transition(from: string, to: string): readonly DrawnWire[] {
    return this.#statesOf(from).flatMap((start) =>
      this.#statesOf(to).flatMap((end) => {
        // A handoff team and its first member have the same agent, so there is no path between
        // them.
        if (start !== end && (start.contains(end) || end.contains(start))) return []
        const [below, above] = [locationsOf(start), locationsOf(end)]
        const shared = above.find(({ level }) => below.some((location) => location.level === level))
        const source = below.find(({ level }) => level === shared?.level)
        const level = shared === undefined ? undefined : this.#levelOf.get(shared.level)
        return level === undefined || shared === undefined || source === undefined
          ? []
          : pathThroughChoices(level, source.id, (id) => id === shared.id)
      }),
    )
  }

  /**
   * Returns the path from the last active state inside a container to the final state that shows
   * the outcome. Without such a final state, the path leads to the end mark (the ring). For the
   * outcomes `failed` and `limited`, the path is then empty.
   */
  #end({ last, container, outcome }: ContainerEnd): readonly DrawnWire[] {
    const holders: readonly (Element | null)[] = container === null ? [] : this.#statesOf(container)
    return this.#statesOf(last).flatMap((start) => {
      const locations = locationsOf(start)
      const location =
        container === null
          ? locations.at(-1)
          : locations.find(({ level }) => holders.includes(level.parentElement))
      const level = location === undefined ? undefined : this.#levelOf.get(location.level)
      if (level === undefined || location === undefined) return []
      const final = pathThroughChoices(
        level,
        location.id,
        (id) => level.states.get(id)?.querySelector(":scope > .title")?.textContent === outcome,
      )
      return final.length > 0 || outcome === "failed" || outcome === "limited"
        ? final
        : pathThroughChoices(level, location.id, (id) => id === markId)
    })
  }

  /**
   * Returns the SVG elements of the given arrows. Also returns the choice states, start marks and
   * end marks at which these arrows begin or end.
   */
  #passed(wires: ReadonlySet<DrawnWire>): ReadonlySet<Element> {
    const passed = new Set<Element>()
    for (const { element, from, to } of wires) {
      passed.add(element)
      const level =
        element.parentElement === null ? undefined : this.#levelOf.get(element.parentElement)
      for (const id of [from, to]) {
        const state = level?.states.get(id)
        if (state !== undefined && !state.hasAttribute("data-agents")) passed.add(state)
      }
      const marks = [...(from === markId ? ["begin"] : []), ...(to === markId ? ["end"] : [])]
      for (const mark of marks) {
        const drawn = level?.element.querySelector(`:scope > [data-mark="${mark}"]`)
        if (drawn != null) passed.add(drawn)
      }
    }
    return passed
  }
}

/**
 * The location of a state in one of its containers. `level` is the SVG element of the container.
 * `id` identifies the direct child of the container. This child is the state itself, or contains
 * the state.
 */
interface LevelLocation {
  readonly level: Element
  readonly id: string
}

/** Returns all containers around a state in the drawing, innermost first. */
function locationsOf(state: Element): readonly LevelLocation[] {
  const locations: LevelLocation[] = []
  for (let element: Element | null = state; element !== null;) {
    const id = element.getAttribute("data-state")
    const level: Element | null = element.parentElement
    if (id !== null && level !== null) locations.push({ level, id })
    element = level?.closest("[data-state]") ?? null
  }
  return locations
}

/** Adds a state and all states that contain it to the set `states`. */
function addWithHolders(state: Element, states: Set<Element>): void {
  let element: Element | null = state
  while (element !== null && !states.has(element)) {
    states.add(element)
    element = element.parentElement?.closest("[data-state]") ?? null
  }
}

/**
 * Returns the path from the start mark (the dot before the first state) of a level to the first
 * state that the run has entered. If the start mark leads to a choice state, several states can be
 * the first. The path then ends at an entered state that the run has not reached through another
 * passed arrow. Returns an empty list if the run has not entered the level.
 */
function startOf(
  level: DrawnLevel,
  visited: ReadonlySet<Element>,
  walked: ReadonlySet<DrawnWire>,
): readonly DrawnWire[] {
  const isVisited = (id: string): boolean => {
    const state = level.states.get(id)
    return state !== undefined && visited.has(state)
  }
  const reached = new Set(level.wires.filter((wire) => walked.has(wire)).map(({ to }) => to))
  const [first] = level.leaving.get(markId) ?? []
  if (first === undefined) return []
  if (level.states.get(first.to)?.classList.contains("choice") !== true)
    return isVisited(first.to) ? [first] : []
  return pathThroughChoices(level, markId, (id) => isVisited(id) && !reached.has(id))
}

/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />

/**
 * One direction of an arrow in an SVG drawing. An arrow with two heads is represented by two
 * objects.
 */
export interface DrawnWire {
  readonly element: Element
  /**
   * Id of the state at which the arrow begins. An empty id is the start mark (the dot before the
   * first state).
   */
  readonly from: string
  /** Id of the state at which the arrow ends. An empty id is the end mark (the ring). */
  readonly to: string
}

/**
 * One level of a drawing, which consists of a container's direct children and the arrows between
 * them. The outermost states also form a level.
 */
export interface DrawnLevel {
  readonly element: Element
  readonly states: ReadonlyMap<string, Element>
  readonly wires: readonly DrawnWire[]
  /**
   * The arrows that begin at each state of this level, by state id. The empty id stands for the
   * start mark (the dot before the first state).
   */
  readonly leaving: ReadonlyMap<string, readonly DrawnWire[]>
}

/**
 * The id in `from` or `to` of an arrow that begins or ends at a mark instead of a state. In `from`,
 * it represents the start mark of a level. In `to`, it represents the end mark.
 */
export const markId = ""

/**
 * Returns the levels of a drawing that contain at least one arrow. A level consists of the states
 * directly inside one container and the arrows between them.
 */
export function drawnLevels(svg: Element): readonly DrawnLevel[] {
  const elements = new Set([...svg.querySelectorAll(".wire")].flatMap((wire) => parentOf(wire)))
  return [...elements].map((element): DrawnLevel => {
    const children = [...element.children]
    const wires = children.filter((child) => child.classList.contains("wire")).flatMap(wiresOf)
    const leaving = new Map<string, DrawnWire[]>()
    for (const wire of wires) {
      const known = leaving.get(wire.from)
      if (known === undefined) leaving.set(wire.from, [wire])
      else known.push(wire)
    }
    const states = children.flatMap((child) => {
      const id = child.getAttribute("data-state")
      return id === null ? [] : [[id, child] as const]
    })
    return { element, states: new Map(states), wires, leaving }
  })
}

const parentOf = ({ parentElement }: Element): readonly Element[] =>
  parentElement === null ? [] : [parentElement]

function wiresOf(element: Element): readonly DrawnWire[] {
  // An arrow to an agent tool is a call, not a transition.
  if (element.classList.contains("of-tool")) return []
  const [from, to] = ["data-from", "data-to"].map((name) => element.getAttribute(name) ?? markId)
  if (from === undefined || to === undefined) return []
  const forth = { element, from, to }
  return element.hasAttribute("data-both") ? [forth, { element, from: to, to: from }] : [forth]
}

const isChoice = (level: DrawnLevel, id: string): boolean =>
  level.states.get(id)?.classList.contains("choice") === true

/**
 * Returns the arrows of the shortest path from the state `from` to a state for which `isTarget`
 * returns true. Both states are on the same level of the drawing. The path passes only through
 * choice states. Returns an empty list if there is no such path.
 */
export function pathThroughChoices(
  level: DrawnLevel,
  from: string,
  isTarget: (id: string) => boolean,
): readonly DrawnWire[] {
  const reached = new Map<string, DrawnWire>()
  const queue = [from]
  for (const id of queue) {
    for (const wire of level.leaving.get(id) ?? []) {
      if (isTarget(wire.to)) return pathTo(wire, from, reached)
      if (!isChoice(level, wire.to) || reached.has(wire.to)) continue
      reached.set(wire.to, wire)
      queue.push(wire.to)
    }
  }
  return []
}

function pathTo(
  end: DrawnWire,
  from: string,
  reached: ReadonlyMap<string, DrawnWire>,
): readonly DrawnWire[] {
  const path = [end]
  for (let wire = end; wire.from !== from;) {
    const before = reached.get(wire.from)
    if (before === undefined) break
    path.unshift(before)
    wire = before
  }
  return path
}

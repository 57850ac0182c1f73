import type { CanvasBox } from "./view.js"

/** A state in the SVG drawing of a chart, with the data that the search and the minimap need. */
export interface DrawnState {
  readonly id: string
  readonly title: string
  /** Ids of the agents that the state represents. A folded state can represent several agents. */
  readonly agents: readonly string[]
  readonly isFolded: boolean
  /** Whether other states are drawn inside this state. */
  readonly isContainer: boolean
  /** The CSS class that sets the colors of the state, for example `llm`. */
  readonly look: string
  readonly element: Element
  readonly box: CanvasBox
}

/** Returns the states of an SVG drawing with their positions, in document order. */
export function drawnStates(svg: SVGSVGElement): readonly DrawnState[] {
  const whole = svg.getBoundingClientRect()
  const scale = whole.width / (svg.viewBox.baseVal.width || 1) || 1
  return [...svg.querySelectorAll("[data-state]")].map((element): DrawnState => {
    const frame = element.querySelector(":scope > .box:last-of-type, :scope > .box") ?? element
    const { left, top, width, height } = frame.getBoundingClientRect()
    const titles = [...element.querySelectorAll(":scope > .title")]
    return {
      id: element.getAttribute("data-state") ?? "",
      title: titles.map(({ textContent }) => textContent).join(" "),
      agents: (element.getAttribute("data-agents") ?? "").split(" ").filter((id) => id !== ""),
      isFolded: element.hasAttribute("data-folded"),
      isContainer: element.querySelector(":scope > .holder") !== null,
      look: element.classList.item(0) ?? "",
      element,
      box: {
        x: (left - whole.left) / scale,
        y: (top - whole.top) / scale,
        width: width / scale,
        height: height / scale,
      },
    }
  })
}

/**
 * An entry of the state search. `name` is the id of an agent, or the title of a state without an
 * agent.
 */
export interface FoundState {
  readonly name: string
  readonly agent: string | null
  readonly state: DrawnState
}

/**
 * Returns a search entry for each agent, and for each state without an agent. If an agent is inside
 * a folded state, its entry refers to the folded state.
 */
export function searchEntries(states: readonly DrawnState[]): readonly FoundState[] {
  const entries = new Map<string, FoundState>()
  const add = (entry: FoundState): void => {
    const known = entries.get(entry.name)
    if (known === undefined || (known.state.isFolded && !entry.state.isFolded))
      entries.set(entry.name, entry)
  }
  for (const state of states) {
    for (const agent of state.agents) add({ name: agent, agent, state })
    if (state.agents.length === 0 && state.title !== "")
      add({ name: state.title, agent: null, state })
  }
  return [...entries.values()]
}

/**
 * Returns the search entries whose names contain the text, ignoring case. Exact matches come first,
 * then names that begin with the text.
 */
export function matchingEntries(
  entries: readonly FoundState[],
  text: string,
): readonly FoundState[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return []
  const rank = ({ name }: FoundState): number => {
    const lower = name.toLowerCase()
    return lower === wanted ? 0 : lower.startsWith(wanted) ? 1 : lower.includes(wanted) ? 2 : 3
  }
  return entries
    .map((entry) => ({ entry, order: rank(entry) }))
    .filter(({ order }) => order < 3)
    .toSorted((one, other) => one.order - other.order)
    .map(({ entry }) => entry)
}

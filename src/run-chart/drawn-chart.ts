/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import { AgentStatechartsError } from "../errors.js"
import { StatusBadges } from "./status-badges.js"
import { TakenPath } from "./taken-path.js"
import type { AgentActivity } from "../serving/display/agent-activity.js"

/**
 * CSS rules that highlight states and arrows in the SVG drawing of a run. A page can change the
 * colors with CSS variables such as `--run-chart-active`.
 */
export const highlightStyles = `
svg.is-run [data-agents]:not(.is-started) > .box { fill-opacity: 0.25; stroke-opacity: 0.55 }
svg.is-run [data-agents]:not(.is-started) > .icon { opacity: 0.6 }
svg.is-run .wire:not(.is-walked), svg.is-run .wire:not(.is-walked) + .head { opacity: 0.6 }
svg .is-finished > .box { stroke-width: 2 }
svg .is-active > .box { stroke: var(--run-chart-active, #16a34a); stroke-width: 3 }
svg.is-animated .is-active > .box:not(.holder) { animation: run-chart-active 1.2s ease-in-out infinite alternate }
svg .is-waiting > .box { stroke: var(--run-chart-waiting, #d97706); stroke-width: 4; stroke-dasharray: 6 3 }
svg .is-failed > .box { stroke: var(--run-chart-failed, #dc2626); stroke-width: 3 }
svg .wire.is-walked { stroke: var(--run-chart-active, #16a34a); stroke-width: 2.5 }
svg .wire.is-walked + .head { fill: var(--run-chart-active, #16a34a) }
svg .wire.of-failure.is-walked { stroke: var(--run-chart-failed, #dc2626) }
svg .wire.of-failure.is-walked + .head { fill: var(--run-chart-failed, #dc2626) }
svg .choice.is-walked > .box { stroke: var(--run-chart-active, #16a34a); stroke-width: 2.5 }
svg .exit.is-walked > .box, svg .limit.is-walked > .box, svg .ending.is-walked > .box { stroke-width: 3 }
svg .is-walked > .mark { fill: var(--run-chart-active, #16a34a) }
svg .is-walked > .ring { stroke: var(--run-chart-active, #16a34a); stroke-width: 2 }
svg .run-badge > .disk { stroke: var(--page, #fff); stroke-width: 1.5 }
svg .run-badge.of-finished > .disk { fill: #15803d }
svg .run-badge.of-failed > .disk { fill: #b91c1c }
svg .run-badge.of-waiting > .disk { fill: #b45309 }
svg .run-badge.of-rounds > .disk { fill: #475569 }
svg .run-badge > .sign { fill: none; stroke: #fff; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
svg .run-badge > text { fill: #fff; font-size: 10px; font-weight: 600; text-anchor: middle }
@keyframes run-chart-active { from { stroke-opacity: 1 } to { stroke-opacity: 0.35 } }
@media (prefers-reduced-motion: reduce) {
  svg.is-animated .is-active > .box:not(.holder) { animation: none }
}`

/**
 * Maximum number of active agents whose states are animated. With more active agents, nothing is
 * animated, because the browser repaints animated states in each frame.
 */
const maxAnimated = 24

/**
 * SVG elements that `drawSvg` writes. All other elements are removed from a drawing, so that it
 * cannot run scripts.
 */
const allowedElements = new Set("circle defs g marker path rect style svg text title".split(" "))

/**
 * An SVG drawing of a chart in a page. Highlights the states of the agents by their status in a
 * run.
 */
export class DrawnChart {
  readonly svg: SVGSVGElement
  /** The SVG elements of the states that belong to each agent, by agent id. */
  readonly #states = new Map<string, Element[]>()
  readonly #path: TakenPath
  readonly #badges: StatusBadges
  /** The currently highlighted elements, each with the CSS classes that highlight it. */
  #highlighted: ReadonlyMap<Element, ReadonlySet<string>> = new Map()

  /**
   * Parses the SVG file `text` and replaces the content of `box` with the drawing.
   *
   * @throws AgentStatechartsError `input_refused` if `text` is not an SVG file.
   */
  constructor(box: Element, text: string) {
    this.svg = parseSvg(text)
    const title = this.svg.querySelector("title")
    // Use the title as a label, which screen readers announce. A title element would also be a
    // tooltip for the whole drawing.
    this.svg.setAttribute("aria-label", title?.textContent ?? "Statechart")
    if (title?.parentNode === this.svg) title.remove()
    for (const state of this.svg.querySelectorAll("[data-agents]"))
      for (const agent of agentsOf(state)) addTo(this.#states, agent, state)
    this.#path = new TakenPath(this.svg, (agent) => this.#statesOf(agent))
    this.#badges = new StatusBadges(this.#states)
    box.replaceChildren(this.svg)
  }

  /**
   * Highlights the agents and transitions of a run's activity, and removes all earlier highlights.
   * Modifies only the elements whose highlight changes, so that the browser does not repaint the
   * others.
   */
  highlight(activity: AgentActivity): void {
    const wanted = this.#classesOf(activity)
    for (const [element, names] of this.#highlighted)
      for (const name of names)
        if (wanted.get(element)?.has(name) !== true) element.classList.remove(name)
    for (const [element, names] of wanted) {
      const before = this.#highlighted.get(element)
      for (const name of names) {
        if (before?.has(name) === true) continue
        element.classList.add(name)
        if (name === "is-walked" && element.classList.contains("wire")) raise(element)
      }
    }
    this.#highlighted = wanted
    this.#badges.show(activity)
  }

  /**
   * Returns the elements to highlight for a run's activity, each with its CSS classes such as
   * `is-active`.
   */
  #classesOf(activity: AgentActivity): ReadonlyMap<Element, ReadonlySet<string>> {
    const classes = new Map<Element, Set<string>>()
    const mark = (element: Element, name: string): void => {
      const names = classes.get(element)
      if (names === undefined) classes.set(element, new Set([name]))
      else names.add(name)
    }
    const markAgents = (agents: Iterable<string>, name: string): void => {
      for (const agent of agents) for (const state of this.#statesOf(agent)) mark(state, name)
    }
    markAgents(activity.finished, "is-finished")
    markAgents(activity.failed, "is-failed")
    markAgents(activity.active, "is-active")
    markAgents(activity.waiting, "is-waiting")
    markAgents(activity.rounds.keys(), "is-started")
    for (const element of this.#path.elements(activity)) mark(element, "is-walked")
    mark(this.svg, "is-run")
    if (activity.active.size <= maxAnimated) mark(this.svg, "is-animated")
    return classes
  }

  #statesOf(agent: string): readonly Element[] {
    return this.#states.get(agent) ?? []
  }
}

/**
 * Returns the id of the agent whose state contains the clicked element. Returns null if the element
 * is not in a state, or if the state represents several agents.
 */
export function agentAt(target: EventTarget | null): string | null {
  const state = target instanceof Element ? target.closest("[data-agents]") : null
  const agents = state === null ? [] : agentsOf(state)
  return agents.length === 1 ? (agents[0] ?? null) : null
}

/**
 * Draws an arrow on top of the other arrows in its container. The arrows of handoffs overlap, so a
 * highlighted arrow could otherwise be hidden.
 */
function raise(wire: Element): void {
  const head = wire.nextElementSibling
  const heads = wire.parentElement?.querySelectorAll(":scope > .head")
  const last = heads?.[heads.length - 1]
  if (head?.classList.contains("head") === true && last !== undefined && last !== head)
    last.after(wire, head)
}

const attribute = (element: Element, name: string): string => element.getAttribute(name) ?? ""

const agentsOf = (state: Element): readonly string[] =>
  attribute(state, "data-agents")
    .split(" ")
    .filter((agent) => agent !== "")

const addTo = (map: Map<string, Element[]>, key: string, element: Element): void => {
  const elements = map.get(key)
  if (elements === undefined) map.set(key, [element])
  else elements.push(element)
}

function parseSvg(text: string): SVGSVGElement {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
  if (!(svg instanceof SVGSVGElement) || svg.querySelector("parsererror") !== null)
    throw new AgentStatechartsError(
      "input_refused",
      "the drawing is not SVG; pass the text that drawSvg(chart) or run.drawing() returns",
    )
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    if (!allowedElements.has(element.localName)) element.remove()
    for (const name of element.getAttributeNames())
      if (/^on|href$/i.test(name)) element.removeAttribute(name)
  }
  return svg
}

/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import { AgentStatechartsError } from "../errors.js"
import type { AgentActivity } from "../serving/display/agent-activity.js"

/** CSS rules for highlighted states and transitions. Pages set the colors with CSS variables. */
export const highlightStyles = `
svg .is-finished > .box { stroke-width: 2 }
svg .is-active > .box { stroke: var(--run-chart-active, #16a34a); stroke-width: 3 }
svg .is-active > .box:not(.holder) { animation: run-chart-active 1.2s ease-in-out infinite alternate }
svg .is-waiting > .box { stroke: var(--run-chart-waiting, #d97706); stroke-width: 4; stroke-dasharray: 6 3 }
svg .is-failed > .box { stroke: var(--run-chart-failed, #dc2626); stroke-width: 3 }
svg .wire.is-walked { stroke: var(--run-chart-active, #16a34a); stroke-width: 2.5 }
svg .wire.is-walked + .head { fill: var(--run-chart-active, #16a34a) }
@keyframes run-chart-active { from { stroke-opacity: 1 } to { stroke-opacity: 0.35 } }
@media (prefers-reduced-motion: reduce) {
  svg .is-active > .box:not(.holder) { animation: none }
}`

/** Elements that `drawSvg` writes. Others are removed, so a drawing cannot run scripts. */
const allowedElements = new Set("circle defs g marker path rect style svg text title".split(" "))

/** The drawing of a chart in a page. Highlights its agents by status. */
export class DrawnChart {
  readonly svg: SVGSVGElement
  /** The states of each agent. */
  readonly #states = new Map<string, Element[]>()
  /** The transitions between two states, by the ids of the states. */
  readonly #wires = new Map<string, Element[]>()
  readonly #highlighted: (readonly [element: Element, name: string])[] = []

  /**
   * Replaces the content of `box` with a drawing.
   *
   * @throws AgentStatechartsError `input_refused` if `text` is not an SVG file.
   */
  constructor(box: Element, text: string) {
    this.svg = parseSvg(text)
    const title = this.svg.querySelector("title")
    // As a label, the title is announced and is not a tooltip over the whole drawing.
    this.svg.setAttribute("aria-label", title?.textContent ?? "Statechart")
    if (title?.parentNode === this.svg) title.remove()
    for (const state of this.svg.querySelectorAll("[data-agents]"))
      for (const agent of agentsOf(state)) addTo(this.#states, agent, state)
    for (const wire of this.svg.querySelectorAll(".wire"))
      addTo(this.#wires, wireKey(attribute(wire, "data-from"), attribute(wire, "data-to")), wire)
    box.replaceChildren(this.svg)
  }

  /** Highlights agents and transitions, and nothing else. */
  highlight(activity: AgentActivity): void {
    for (const [element, name] of this.#highlighted.splice(0)) element.classList.remove(name)
    this.#mark(activity.finished, "is-finished")
    this.#mark(activity.failed, "is-failed")
    this.#mark(activity.active, "is-active")
    this.#mark(activity.waiting, "is-waiting")
    for (const [from, to] of activity.transitions)
      for (const start of this.#statesOf(from))
        for (const end of this.#statesOf(to)) {
          const key = wireKey(attribute(start, "data-state"), attribute(end, "data-state"))
          for (const wire of this.#wires.get(key) ?? []) this.#add(wire, "is-walked")
        }
  }

  #statesOf(agent: string): readonly Element[] {
    return this.#states.get(agent) ?? []
  }

  #mark(agents: ReadonlySet<string>, name: string): void {
    for (const agent of agents) for (const state of this.#statesOf(agent)) this.#add(state, name)
  }

  #add(element: Element, name: string): void {
    element.classList.add(name)
    this.#highlighted.push([element, name])
  }
}

/** Returns the agent whose state contains an element; null if it contains several agents or none. */
export function agentAt(target: EventTarget | null): string | null {
  const state = target instanceof Element ? target.closest("[data-agents]") : null
  const agents = state === null ? [] : agentsOf(state)
  return agents.length === 1 ? (agents[0] ?? null) : null
}

const attribute = (element: Element, name: string): string => element.getAttribute(name) ?? ""

const agentsOf = (state: Element): readonly string[] =>
  attribute(state, "data-agents")
    .split(" ")
    .filter((agent) => agent !== "")

const wireKey = (from: string, to: string): string => JSON.stringify([from, to])

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

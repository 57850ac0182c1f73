/// <reference lib="dom" preserve="true" />
import type { AgentActivity } from "../serving/display/agent-activity.js"

/** The icon of each agent status, as SVG path data. The origin is the center of the icon. */
const signs = {
  finished: "M-3.6 .2L-1 2.8L3.8 -2.6",
  failed: "M-2.8 -2.8L2.8 2.8M2.8 -2.8L-2.8 2.8",
  waiting: "M0 -3.6V.4L2.6 2",
} as const

type BadgeStatus = keyof typeof signs

/**
 * Badges at the upper right corners of the states in a drawing. A badge shows the agent's status as
 * an icon, for users who cannot distinguish the colors, and how often the agent was executed, as in
 * `×3`.
 */
export class StatusBadges {
  readonly #states: ReadonlyMap<string, readonly Element[]>
  /**
   * The current badge of each state element. `badge` is the SVG element of the badge. `content` is
   * its status and count, for example `finished 3`.
   */
  readonly #shown = new Map<Element, { readonly content: string; readonly badge: Element }>()

  /**
   * Prepares badges for a drawing. `states` contains the SVG elements that represent each agent, by
   * agent id. Folded states get no badge, because they represent several agents.
   */
  constructor(states: ReadonlyMap<string, readonly Element[]>) {
    this.#states = states
  }

  /**
   * Shows a badge for each agent that is waiting, has failed, has finished, or was executed more
   * than once. Removes all other badges.
   */
  show(activity: AgentActivity): void {
    const wanted = new Map<Element, string>()
    for (const [agent, states] of this.#states) {
      const status = statusOf(agent, activity)
      const rounds = activity.rounds.get(agent) ?? 0
      const content = `${status ?? ""} ${rounds > 1 ? rounds : ""}`
      if (content !== " ")
        for (const state of states)
          if (!state.hasAttribute("data-folded") && !containsOther(state, states))
            wanted.set(state, content)
    }
    for (const [state, { content, badge }] of this.#shown) {
      const next = wanted.get(state)
      if (next === content) continue
      if (next !== undefined && shapeOf(next) === shapeOf(content)) {
        const text = badge.querySelector("text")
        if (text !== null) text.textContent = roundsText(next)
        this.#shown.set(state, { content: next, badge })
      } else {
        badge.remove()
        this.#shown.delete(state)
      }
    }
    for (const [state, content] of wanted) {
      if (this.#shown.has(state)) continue
      const badge = badgeOf(state, content)
      if (badge !== null) this.#shown.set(state, { content, badge })
    }
  }
}

/**
 * Returns whether a state contains another state from `states`, which are all states of one agent.
 * For example, a handoff team contains its first member, and both belong to the same agent.
 */
const containsOther = (state: Element, states: readonly Element[]): boolean =>
  states.some((other) => other !== state && state.contains(other))

function statusOf(agent: string, activity: AgentActivity): BadgeStatus | null {
  if (activity.waiting.has(agent)) return "waiting"
  if (activity.active.has(agent)) return null
  if (activity.failed.has(agent)) return "failed"
  return activity.finished.has(agent) ? "finished" : null
}

/**
 * Returns the content of a badge with each digit replaced by 0, for example `finished 00`. As long
 * as this text stays the same, the badge has the right width and only its text is updated.
 */
const shapeOf = (content: string): string => content.replace(/\d/g, "0")

const roundsText = (content: string): string => `×${content.split(" ")[1] ?? ""}`

const isStatus = (name: string): name is BadgeStatus => Object.hasOwn(signs, name)

/**
 * Adds a badge with the status and count in `content` to a state, and returns the element of the
 * badge. Returns null if the state has no box.
 */
function badgeOf(state: Element, content: string): Element | null {
  const width = Number(state.querySelector(":scope > rect.box")?.getAttribute("width") ?? NaN)
  if (Number.isNaN(width)) return null
  const [status = "", rounds = ""] = content.split(" ")
  const badge = element("g", {})
  let x = width - 2
  if (isStatus(status)) {
    const sign = element("path", { class: "sign", d: signs[status] })
    badge.append(group(`of-${status}`, x, [element("circle", { class: "disk", r: "8" }), sign]))
    x -= 11
  }
  if (rounds !== "") {
    const half = 8 + 3 * rounds.length
    const text = element("text", { y: "3.5" })
    text.textContent = roundsText(content)
    const disk = {
      class: "disk",
      x: `${-half}`,
      y: "-8",
      width: `${2 * half}`,
      height: "16",
      rx: "8",
    }
    badge.append(group("of-rounds", x - half, [element("rect", disk), text]))
  }
  state.append(badge)
  return badge
}

const group = (name: string, x: number, children: readonly Element[]): Element => {
  const drawn = element("g", { class: `run-badge ${name}`, transform: `translate(${x} 0)` })
  drawn.append(...children)
  return drawn
}

function element(name: string, attributes: Readonly<Record<string, string>>): Element {
  const created = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  return created
}

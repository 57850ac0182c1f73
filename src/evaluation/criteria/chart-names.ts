import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartCoverage,
  ChartStatePart,
  ChartTransitionPart,
  StoredRun,
} from "../../runtime/index.js"
import { collectCoverage } from "../../runtime/index.js"

/**
 * A reference to an agent, state or transition of a chart. It is parsed from a text such as
 * `state:loop.writer`, which the options of the criterion `statechart_path_v1` contain.
 */
export type ChartName =
  | { readonly kind: "agent"; readonly name: string }
  | { readonly kind: "state"; readonly name: string }
  | {
      readonly kind: "transition"
      readonly from: string
      readonly to: string
      readonly guard: string | null
    }

/**
 * Parses a reference of the form `agent:NAME`, `state:NAME`, `FROM -> TO [GUARD]` or `NAME`. A
 * plain `NAME` refers to an agent if the workflow has an agent of that name, otherwise to a state.
 */
export function parseName(text: string, isAgent: (name: string) => boolean): ChartName {
  if (text.startsWith("agent:")) return { kind: "agent", name: text.slice("agent:".length) }
  if (text.startsWith("state:")) return { kind: "state", name: text.slice("state:".length) }
  const arrow = text.indexOf(" -> ")
  if (arrow !== -1) {
    const [, to = "", guard = null] =
      /^(.*?)(?: \[(.*)\])?$/s.exec(text.slice(arrow + " -> ".length)) ?? []
    return { kind: "transition", from: text.slice(0, arrow).trim(), to: to.trim(), guard }
  }
  return { kind: isAgent(text) ? "agent" : "state", name: text }
}

/** The states and transitions of a chart. */
export interface ChartParts {
  readonly states: readonly ChartStatePart[]
  readonly transitions: readonly ChartTransitionPart[]
}

/** Returns all states and transitions of a chart. */
export const partsOf = (chart: AgentChart): ChartParts =>
  missingIn(collectCoverage(chart).coverage())

/**
 * Replays a stored run. Returns a function that tests whether the run reached a state or took a
 * transition.
 */
export function reachedIn(
  chart: AgentChart,
  run: StoredRun,
): (part: ChartStatePart | ChartTransitionPart) => boolean {
  const collector = collectCoverage(chart)
  collector.add(run)
  const { states, transitions } = missingIn(collector.coverage())
  const missing = new Set([...states, ...transitions].map(keyOf))
  return (part) => !missing.has(keyOf(part))
}

const missingIn = ({ states, transitions, exceptional }: ChartCoverage): ChartParts => ({
  states: [...states.missing, ...exceptional.states.missing],
  transitions: [...transitions.missing, ...exceptional.transitions.missing],
})

const keyOf = (part: ChartStatePart | ChartTransitionPart): string => JSON.stringify(part)

/** Returns the states or transitions of a chart to which a parsed reference refers. */
export function partsNamed(
  name: Exclude<ChartName, { readonly kind: "agent" }>,
  { states, transitions }: ChartParts,
): readonly (ChartStatePart | ChartTransitionPart)[] {
  if (name.kind === "state")
    return states.filter(({ machine, state }) => isNamed(machine, state, name.name))
  return transitions.filter(
    ({ machine, from, to, guard }) =>
      to !== null &&
      isNamed(machine, from, name.from) &&
      isNamed(machine, to, name.to) &&
      (name.guard === null || guard === name.guard),
  )
}

/**
 * Returns whether a text refers to a state. The path of the state in its machine is sufficient, for
 * example `loop.writer`. With the machine, the text is `main#loop.writer`, or `#main.loop.writer`
 * as the command `coverage` prints it.
 */
const isNamed = (machine: string, path: string, text: string): boolean =>
  text === path ||
  text === `${machine}#${path}` ||
  text === (path === "" ? `#${machine}` : `#${machine}.${path}`)

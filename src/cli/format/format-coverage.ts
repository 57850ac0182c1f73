import type {
  ChartCoverage,
  ChartStatePart,
  ChartTransitionPart,
  Covered,
} from "../../runtime/index.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { Terminal } from "../terminal/terminal.js"

/**
 * Returns the smaller value of state coverage and transition coverage, in percent. The coverage is
 * 100 % if a chart has no states or transitions to cover.
 */
export const lowestPercent = ({ states, transitions }: ChartCoverage): number =>
  Math.min(percentOf(states), percentOf(transitions))

const percentOf = ({ reached, of }: Covered<unknown>): number =>
  of === 0 ? 100 : (100 * reached) / of

/**
 * Formats a coverage count with its percentage, for example `7 of 9 (77 %)`. Rounds down, so that
 * incomplete coverage is never shown as 100 %.
 */
const countText = (part: Covered<unknown>): string =>
  `${part.reached} of ${part.of} (${Math.floor(percentOf(part))} %)`

/**
 * Formats the state and transition coverage of a chart as lines of text. If `withMissing` is true,
 * also lists the states and transitions that no run has reached.
 */
export function coverageLines(
  chart: string,
  coverage: ChartCoverage,
  others: readonly string[],
  withMissing: boolean,
  { paint }: Pick<Terminal, "paint">,
): readonly string[] {
  const { runs, states, transitions, exceptional } = coverage
  return [
    `${paint.bold(oneLine(chart))}: ${runs} ${runs === 1 ? "run" : "runs"}`,
    `  states: ${countText(states)}`,
    `  transitions: ${countText(transitions)}`,
    `  limits, stops and pauses: ${exceptional.states.reached} of ${exceptional.states.of} states, ${exceptional.transitions.reached} of ${exceptional.transitions.of} transitions`,
    ...(others.length === 0 ? [] : [`  ignored runs of other charts: ${listed(others)}`]),
    ...(withMissing
      ? [...missingLines("", coverage), ...missingLines(" (limits, stops and pauses)", exceptional)]
      : []),
  ]
}

function missingLines(
  about: string,
  { states, transitions }: Pick<ChartCoverage, "states" | "transitions">,
): readonly string[] {
  return [
    ...titled(`  never entered${about}:`, states.missing.map(stateText)),
    ...titled(`  never taken${about}:`, transitions.missing.map(transitionText)),
  ]
}

const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `    ${line}`)]

const pathText = (machine: string, state: string): string =>
  oneLine(state === "" ? `#${machine}` : `#${machine}.${state}`)

const stateText = ({ machine, state }: ChartStatePart): string => pathText(machine, state)

/**
 * Formats a transition of a chart, for example `#loop.loop.writer: ended, completed ->
 * loop.reviewer`.
 */
export function transitionText({ machine, from, cause, guard, to }: ChartTransitionPart): string {
  const why = guard === null ? oneLine(cause) : `${oneLine(cause)}, ${oneLine(guard)}`
  return `${pathText(machine, from)}: ${why}${to === null ? "" : ` -> ${oneLine(to)}`}`
}

const shownIds = 10

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, shownIds).map(oneLine).join(", ")
  return ids.length > shownIds ? `${shown} and ${ids.length - shownIds} more` : shown
}

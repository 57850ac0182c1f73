import type { ReuseReport } from "../../runtime/index.js"
import { improvementOf } from "../compare/compare-results.js"
import type { ComparedCase, ComparisonReport } from "../compare/comparison-report.js"
import { callsText, columnName, countText, markOf, scoreText } from "./score-text.js"

/** Formats the status of a case with workflow A and with workflow B, for example `✓ → ✗`. */
export const statusChange = ({ a, b }: ComparedCase): string => `${markOf(a)} → ${markOf(b)}`

/** Returns how the result of a case changes from workflow A to workflow B. */
export function verdictOf(compared: ComparedCase): "improved" | "regressed" | "unchanged" {
  const improvement = improvementOf(compared)
  return improvement > 0 ? "improved" : improvement < 0 ? "regressed" : "unchanged"
}

/**
 * Formats the score of each criterion with workflow A and with workflow B, one text per criterion.
 */
export const scoreChangeTexts = ({ a, b, criteria }: ComparedCase): readonly string[] =>
  Object.entries(criteria).flatMap(([name, { delta, interval }]) => {
    const [before, now] = [a.criteria[name], b.criteria[name]]
    if (before === undefined || now === undefined) return []
    return [
      `${columnName(name)} ${scoreText(before)} → ${scoreText(now)}${deltaText(delta)}${interval === null ? "" : ` [${signed(interval[0])}, ${signed(interval[1])}]`}`,
    ]
  })

const deltaText = (delta: number | null): string =>
  delta === null || delta === 0 ? "" : ` (${signed(delta)})`

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(2)}`

/**
 * Returns descriptions of the differences between the results of a case with workflow A and
 * workflow B (text, calls, state, agents, tokens and cost).
 */
export function changeTexts({ changed }: ComparedCase): readonly string[] {
  const { text, trajectory, state = [], agents, tokens, cost } = changed
  return [
    ...(text === true ? ["the text differs"] : []),
    ...(trajectory === true ? ["the tool calls differ"] : []),
    ...(state.length === 0 ? [] : [`state: ${state.join(", ")}`]),
    ...(agents === undefined || agents.added.length === 0
      ? []
      : [`agents added: ${agents.added.join(", ")}`]),
    ...(agents === undefined || agents.removed.length === 0
      ? []
      : [`agents removed: ${agents.removed.join(", ")}`]),
    ...(tokens === undefined || tokens.a === tokens.b ? [] : [`tokens ${tokens.a} → ${tokens.b}`]),
    ...(cost === undefined || cost.a === null || cost.b === null || cost.a === cost.b
      ? []
      : [`cost ${short(cost.a)} → ${short(cost.b)}`]),
  ]
}

const short = (cost: number): string => String(Number(cost.toPrecision(4)))

/**
 * Describes the first call of the second workflow that could not reuse a response of the first
 * workflow. Returns an empty string if every call reused a response.
 */
export function divergenceText({ firstDivergence }: ComparedCase): string {
  if (firstDivergence === undefined || firstDivergence === null) return ""
  const { kind, key, differs } = firstDivergence
  return `${kind} call ${key}${differs.length === 0 ? ": it failed before" : `: ${differs.join(", ")}`}`
}

const reuseText = ({ made, reused }: ReuseReport["calls"]): string =>
  `The second workflow made ${callCounts(made)}, and reused ${callCounts(reused)}.`

const callCounts = ({ models, tools }: ReuseReport["calls"]["made"]): string =>
  `${countText(models, "model call")} and ${countText(tools, "tool call")}`

/** Returns a one-line summary of a comparison, with the numbers of cases and calls. */
export function comparisonSummaryText({ agents, summary, calls, sets }: ComparisonReport): string {
  const { improved, regressed, unchanged } = summary
  const [added, removed] = [
    sets.reduce((sum, set) => sum + (set.added?.length ?? 0), 0),
    sets.reduce((sum, set) => sum + (set.removed?.length ?? 0), 0),
  ]
  const others = added + removed === 0 ? "" : ` ${added} added, ${removed} removed.`
  const names = agents.a === agents.b ? agents.a : `${agents.a} → ${agents.b}`
  return `${names}: ${improved} improved, ${regressed} regressed, ${unchanged} unchanged.${others} ${reuseText(summary.calls)} Total: ${callsText(calls)}.`
}

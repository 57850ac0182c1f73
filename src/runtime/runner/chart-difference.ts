import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { mapValues } from "../../machines/data/map-values.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import { sameJson } from "../history/equal-json.js"
import { abbreviateValue } from "../history/abbreviate-value.js"

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns a description of each difference between two charts, for example `agent "writer" was
 * removed`. Returns an empty array if the charts are equal.
 */
export function chartDifference(before: AgentChart, after: AgentChart): readonly string[] {
  return [
    ...(before.dialect === after.dialect
      ? []
      : [`the dialect was ${before.dialect} and is now ${after.dialect}`]),
    ...entries("agent", changedFields, before.agents, after.agents),
    ...entries("tool", changedFields, before.tools, after.tools),
    ...changedFields("setting", before.settings, after.settings),
    ...changedFields("input", before.input, after.input),
    ...(sameJson(before.context, after.context) ? [] : ["the context for templates has changed"]),
    ...states(before, after),
    ...entries("graph node", changesOf, before.charts, after.charts),
    ...entries("called workflow", changesOf, before.workflows, after.workflows),
  ]
}

const changesOf = (what: string, before: AgentChart, after: AgentChart): readonly string[] =>
  chartDifference(before, after).map((line) => `${what}: ${line}`)

/** Returns true if two charts are equal. Does not compare their fingerprints. */
export const sameCharts = (one: AgentChart, other: AgentChart): boolean =>
  sameJson(withoutFingerprints(one), withoutFingerprints(other))

function withoutFingerprints({
  fingerprint: _fingerprint,
  charts = {},
  workflows = {},
  ...own
}: AgentChart): object {
  return {
    ...own,
    charts: mapValues(charts, withoutFingerprints),
    workflows: mapValues(workflows, withoutFingerprints),
  }
}

/**
 * Throws an error if `given` differs from `own`, the chart with which the run was started.
 *
 * @throws AgentStatechartsError `chart_differs` with a description of the differences
 */
export function checkSameChart(runId: string, own: AgentChart, given: AgentChart): void {
  // The fingerprints of equal charts differ if an earlier version of the package compiled one of
  // them.
  if (own.fingerprint === given.fingerprint || sameCharts(own, given)) return
  const lines = chartDifference(own, given)
  const why = lines.length === 0 ? ["its fingerprint has changed"] : lines
  throw new AgentStatechartsError(
    "chart_differs",
    `run "${runId}" was started with another chart; resume it with the original chart, or continue it in a new run with runner.adopt. The differences are:\n${why.join("\n")}`,
  )
}

/** Describes the entries that were added, removed or, according to `changes`, changed. */
function entries<Value>(
  what: string,
  changes: (what: string, before: Value, after: Value) => readonly string[],
  before: Readonly<Record<string, Value>> = {},
  after: Readonly<Record<string, Value>> = {},
): readonly string[] {
  return union(before, after).flatMap((id) => {
    if (!Object.hasOwn(after, id)) return [`${what} "${id}" was removed`]
    if (!Object.hasOwn(before, id)) return [`${what} "${id}" was added`]
    // The casts are safe: both objects have this key.
    return changes(`${what} "${id}"`, before[id] as Value, after[id] as Value)
  })
}

/** Describes the fields with different values of two JSON objects. */
function changedFields(what: string, before: object, after: object): readonly string[] {
  const [old, now] = [before as Fields, after as Fields]
  return union(old, now)
    .filter((name) => !sameJson(old[name], now[name]))
    .map(
      (name) =>
        `${what}: ${name} was ${abbreviateValue(old[name])} and is now ${abbreviateValue(now[name])}`,
    )
}

/** Returns a description of each state that was added, removed or changed between two charts. */
function states(before: AgentChart, after: AgentChart): readonly string[] {
  const [old, now] = [statesOf(before), statesOf(after)]
  const removed = [...old.keys()]
    .filter((path) => !now.has(path))
    .map((path) => `state ${path} was removed`)
  const added = [...now.keys()]
    .filter((path) => !old.has(path))
    .map((path) => `state ${path} was added`)
  const changed = [...now]
    .filter(([path, state]) => old.has(path) && !sameJson(old.get(path), state))
    .map(([path]) => `the transitions or actions of state ${path} have changed`)
  return [...removed, ...added, ...changed]
}

function statesOf({ machines }: AgentChart): ReadonlyMap<string, object> {
  const found = new Map<string, object>()
  const visit = (
    path: string,
    { states: inner = {}, ...own }: Pick<ChartState, "states">,
  ): void => {
    found.set(path, own)
    for (const [key, state] of Object.entries(inner)) visit(`${path}.${key}`, state)
  }
  for (const [key, machine] of Object.entries(machines)) visit(key, machine)
  return found
}

const union = (one: object, other: object): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]

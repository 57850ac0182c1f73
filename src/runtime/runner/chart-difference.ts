import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import { sameJson } from "../history/equal-json.js"
import { abbreviateValue } from "../history/abbreviate-value.js"

type Fields = Readonly<Record<string, unknown>>
type Charts = Readonly<Record<string, AgentChart>>

/**
 * Returns a description of each difference between two charts, for example `agent "writer" was
 * removed`. Returns an empty array if the charts are equal.
 */
export function chartDifference(before: AgentChart, after: AgentChart): readonly string[] {
  return [
    ...(before.dialect === after.dialect
      ? []
      : [`the dialect was ${before.dialect} and is now ${after.dialect}`]),
    ...entries("agent", before.agents, after.agents),
    ...entries("tool", before.tools, after.tools),
    ...fieldsOf(
      "setting",
      before.settings as unknown as Fields,
      after.settings as unknown as Fields,
    ),
    ...fieldsOf("input", before.input, after.input),
    ...(sameJson(before.context, after.context) ? [] : ["the context for templates has changed"]),
    ...states(before, after),
    ...innerCharts("graph node", before.charts, after.charts),
    ...innerCharts("called workflow", before.workflows, after.workflows),
  ]
}

/** Describes the differences between the charts of two graphs' nodes, or of called workflows. */
function innerCharts(what: string, before: Charts = {}, after: Charts = {}): readonly string[] {
  return union(before, after).flatMap((key) => {
    const [old, now] = [before[key], after[key]]
    if (now === undefined) return [`${what} "${key}" was removed`]
    if (old === undefined) return [`${what} "${key}" was added`]
    return chartDifference(old, now).map((line) => `${what} "${key}": ${line}`)
  })
}

/** Returns true if two charts are equal. Does not compare their fingerprints. */
export const sameCharts = (one: AgentChart, other: AgentChart): boolean =>
  sameJson(withoutFingerprints(one), withoutFingerprints(other))

function withoutFingerprints({
  fingerprint: _fingerprint,
  charts,
  workflows,
  ...own
}: AgentChart): object {
  const inner = (all: Charts = {}): object =>
    Object.fromEntries(Object.entries(all).map(([key, chart]) => [key, withoutFingerprints(chart)]))
  return { ...own, charts: inner(charts), workflows: inner(workflows) }
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

function entries(what: string, before: Fields, after: Fields): readonly string[] {
  return union(before, after).flatMap((id) => {
    if (!Object.hasOwn(after, id)) return [`${what} "${id}" was removed`]
    if (!Object.hasOwn(before, id)) return [`${what} "${id}" was added`]
    // The cast is safe: the definitions of agents and tools are JSON objects.
    return fieldsOf(`${what} "${id}"`, before[id] as Fields, after[id] as Fields)
  })
}

const fieldsOf = (what: string, before: Fields, after: Fields): readonly string[] =>
  union(before, after)
    .filter((name) => !sameJson(before[name], after[name]))
    .map(
      (name) =>
        `${what}: ${name} was ${abbreviateValue(before[name])} and is now ${abbreviateValue(after[name])}`,
    )

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

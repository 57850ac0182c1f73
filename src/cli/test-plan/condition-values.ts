import { readCondition } from "../../analysis/conditions/read-condition.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import { statesOf, transitionsOf } from "../../runtime/history/chart-parts.js"

/**
 * Sample values that make the conditions of a chart true or false. Generated test scenarios use
 * them in model responses and initial states.
 */
export interface ConditionValues {
  /**
   * Returns texts with which an agent can make conditions true or false. For example, a condition
   * that compares the agent's output with `yes` leads to the text `yes`.
   */
  textsOf(agent: string): readonly string[]
  /**
   * Initial states to try, for example `{ tier: "gold" }`. Each contains one key that a condition
   * reads and that no agent or container writes.
   */
  readonly states: readonly Readonly<Record<string, unknown>>[]
}

const maxValues = 12

/** Collects sample values from the conditions of a chart, such as the literals in comparisons. */
export function conditionValues(chart: AgentChart): ConditionValues {
  const conditions = [...conditionsOf(chart)].map((source) => ({
    source,
    reads: readCondition(source)?.reads ?? [],
  }))
  const writtenByContainers = new Set(
    Object.values(chart.machines).flatMap((machine) =>
      [...statesOf(machine)].flatMap(([, { meta }]) =>
        meta?.outputKey === undefined || Object.hasOwn(chart.agents, meta.agent)
          ? []
          : [meta.outputKey],
      ),
    ),
  )
  const writtenByAgents = new Set(
    Object.values(chart.agents).flatMap(({ outputKey }) => outputKey ?? []),
  )
  const textsFor = (keys: ReadonlySet<string>): readonly string[] =>
    first(
      conditions
        .filter(({ reads }) => reads.some((key) => keys.has(key)))
        .flatMap(({ source }) => [...textsIn(source), ...numbersIn(source).map(String)]),
    )
  const inputKeys = new Set(
    conditions
      .flatMap(({ reads }) => reads)
      .filter(
        (key) => !writtenByAgents.has(key) && !writtenByContainers.has(key) && !systemKeys.has(key),
      ),
  )
  return {
    textsOf(agent) {
      const key = Object.hasOwn(chart.agents, agent) ? chart.agents[agent]?.outputKey : null
      return textsFor(new Set([...writtenByContainers, ...(key == null ? [] : [key])]))
    },
    states: [...inputKeys].flatMap((key) => {
      const about = conditions
        .filter(({ reads }) => reads.includes(key))
        .map(({ source }) => source)
      return first<unknown>([
        ...about.flatMap(textsIn),
        ...about.flatMap(numbersIn),
        true,
        false,
        "",
      ]).map((value) => ({ [key]: value }))
    }),
  }
}

const first = <Value>(values: readonly Value[]): readonly Value[] =>
  [...new Set(values)].slice(0, maxValues)

const textsIn = (source: string): readonly string[] =>
  [...source.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(
    ([, single, double]) => single ?? double ?? "",
  )

const numbersIn = (source: string): readonly number[] =>
  [...source.matchAll(/\d+(?:\.\d+)?/g)].flatMap(([text]) => [
    Number(text),
    Number(text) + 1,
    Number(text) - 1,
  ])

/** Returns the source texts of all conditions in the guards and actions of a chart. */
function conditionsOf(chart: AgentChart): ReadonlySet<string> {
  const conditions = new Set<string>()
  const addFrom = (params: unknown): void => {
    const source = isJsonObject(params) ? params["condition"] : undefined
    if (typeof source === "string") conditions.add(source)
  }
  for (const [key, machine] of Object.entries(chart.machines)) {
    for (const { transition } of transitionsOf(chart, key, machine))
      addFrom(transition.guard?.params)
    for (const [, { entry = [] }] of statesOf(machine))
      for (const { params } of entry) addFrom(params)
  }
  return conditions
}

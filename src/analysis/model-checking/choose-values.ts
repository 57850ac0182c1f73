import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ValueSource } from "./value-domain.js"
import { valueDomain } from "./value-domain.js"

/**
 * A value in a run that the analysis chooses, for example the output text of an agent. With the
 * chosen values, the run follows a certain path. `sources` contains the conditions that read the
 * value, and example values as JSON.
 */
export interface Variable {
  readonly source: ValueSource
  readonly keys: Set<string>
  readonly sources: Set<string>
}

/**
 * A condition that must have a certain result so that a run follows a path. `holds` tests whether
 * it has this result with the chosen values.
 */
export interface Constraint {
  readonly source: string
  readonly variables: readonly Variable[]
  readonly holds: (valueOf: (variable: Variable) => unknown) => boolean
}

/**
 * Maximum number of values that `chooseValues` tries. After that, it uses the best combination of
 * values so far.
 */
const maxTries = 50_000

/**
 * Chooses a value for each variable with a backtracking search, so that all constraints are
 * satisfied. If this is impossible, `unmet` contains the source texts of the constraints that are
 * not satisfied.
 */
export function chooseValues(
  constraints: readonly Constraint[],
  chart: AgentChart,
): { readonly values: ReadonlyMap<Variable, unknown>; readonly unmet: readonly string[] } {
  const variables = [...new Set(constraints.flatMap((one) => one.variables))]
  const domains = variables.map(({ source, sources }) => valueDomain(source, sources, chart))
  // A constraint is checked as soon as all of its variables have a value.
  const due = variables.map((_, index) =>
    constraints.filter(
      (one) =>
        one.variables.length > 0 &&
        Math.max(...one.variables.map((each) => variables.indexOf(each))) === index,
    ),
  )
  const values = new Map<Variable, unknown>()
  let best = new Map<Variable, unknown>()
  let tries = 0
  const isMet = ({ holds }: Constraint): boolean => holds((one) => values.get(one))
  const tryFrom = (index: number): boolean => {
    if (index > best.size) best = new Map(values)
    const next = variables[index]
    if (next === undefined) return true
    for (const value of domains[index] ?? []) {
      if (++tries > maxTries) return false
      values.set(next, value)
      if ((due[index] ?? []).every(isMet) && tryFrom(index + 1)) return true
    }
    values.delete(next)
    return false
  }
  const isFound = tryFrom(0)
  const chosen = isFound ? values : best
  const unmet = constraints.filter(
    ({ holds, variables: read }) =>
      read.some((one) => !chosen.has(one)) || !holds((one) => chosen.get(one)),
  )
  return { values: chosen, unmet: [...new Set(unmet.map(({ source }) => source))] }
}

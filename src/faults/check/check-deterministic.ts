import { sameJson } from "../../runtime/history/equal-json.js"
import { mapKey } from "../../runtime/history/call-key.js"
import { isOutside, type JournalRecord } from "../../runtime/journal/journal.js"
import type { FaultWarning } from "../contract/certificate.js"
import type { Violation } from "../contract/violation.js"
import type { ObservedRun } from "../run/observed-run.js"
import { callDifference, resultDifference } from "./compare-runs.js"
import { withoutRunId } from "../environment/without-run-id.js"

/**
 * Compares two runs without a fault, which have different clocks and random numbers. Returns a
 * violation if the runs differ, because the workflow is not deterministic then. Otherwise returns
 * null.
 */
export function nondeterminism(first: ObservedRun, second: ObservedRun): Violation | null {
  const calls = callDifference(first, second)
  const result = resultDifference(first, second)
  const service = firstUnsteady(first, second)
  const isEqual =
    calls === null &&
    result === null &&
    service === null &&
    first.records.length === second.records.length
  if (isEqual) return null
  const subject = service ?? calls?.subject ?? ""
  const read = [
    ...new Set(
      [...first.reads, ...second.reads]
        .filter((each) => each.service === subject)
        .map(
          ({ source, name }) => `${source === "clock" ? "the clock" : "random numbers"} (${name})`,
        ),
    ),
  ]
  const what =
    read.length > 0
      ? `It read ${read.join(" and ")} outside of a step`
      : "It did not read the clock or random numbers, so it depends on something else outside of the run"
  return {
    invariant: "deterministic",
    subject,
    message:
      service === null
        ? `two runs without faults differ: ${calls?.message ?? result ?? "the number of records"}`
        : `"${service}" returned something else in a second run without faults. ${what}`,
  }
}

/**
 * Returns the name of the first host function that returned different results in the two runs.
 * Returns null if there is no such function.
 */
function firstUnsteady(first: ObservedRun, second: ObservedRun): string | null {
  const results = new Map(functionResults(second).map(({ id, value }) => [id, value] as const))
  const found = functionResults(first).find(
    ({ id, value }) => !results.has(id) || !sameJson(value, results.get(id)),
  )
  return found?.service ?? null
}

interface FunctionResult {
  readonly id: string
  readonly service: string
  readonly value: unknown
}

const functionResults = ({ records, log, runId }: ObservedRun): readonly FunctionResult[] =>
  records.flatMap((record: JournalRecord) => {
    const known = isOutside(record) ? undefined : log.byNumber.get(record[0])
    return known?.kind === "host" && known.of !== null
      ? [{ id: mapKey(known), service: known.of, value: withoutRunId(record[2], runId) }]
      : []
  })

/**
 * Returns a warning for each host function that read the clock or random numbers outside of a step.
 */
export function readWarnings(runs: readonly ObservedRun[]): readonly FaultWarning[] {
  const names = new Map<string, Set<string>>()
  for (const { service, name } of runs.flatMap(({ reads }) => reads))
    names.set(service, (names.get(service) ?? new Set()).add(name))
  return [...names].sort(byName).map(([service, read]) => ({
    code: "reads_outside_of_steps",
    service,
    message: `"${service}" reads ${[...read].sort().join(" and ")} outside of a step. Read the value inside context.step, so that the function gets the same value when it runs again`,
  }))
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

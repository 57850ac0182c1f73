import { sameJson } from "../../runtime/history/equal-json.js"

/**
 * Returns a copy of a value in which the run id is replaced by `run` in all texts. Each simulated
 * run has its own id, and programs may store it. Without the id, values of two runs can be
 * compared.
 */
export function withoutRunId<Value>(value: Value, runId: string): Value {
  // The assertion is safe, because only parts of texts are replaced.
  return replaced(value, runId) as Value
}

function replaced(value: unknown, runId: string): unknown {
  if (typeof value === "string") return value.replaceAll(runId, "run")
  if (Array.isArray(value)) return value.map((item) => replaced(item, runId))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replaceAll(runId, "run"),
      replaced(field, runId),
    ]),
  )
}

const times: ReadonlySet<string> = new Set(["time", "timestamp"])

/** Returns a copy of a graph node's request without its times, which can differ between runs. */
export function withoutTimes(request: unknown): unknown {
  if (Array.isArray(request)) return request.map(withoutTimes)
  if (typeof request !== "object" || request === null) return request
  return Object.fromEntries(
    Object.entries(request).flatMap(([name, field]) =>
      times.has(name) ? [] : [[name, withoutTimes(field)] as const],
    ),
  )
}

/**
 * A value and the id of the run that produced it. Two such values are compared without the run ids
 * that their texts contain.
 */
interface OfRun {
  readonly runId: string
  readonly value: unknown
}

/** Returns whether two JSON values of two runs are equal, except for the run ids in their texts. */
export const sameExceptRunId = (one: OfRun, other: OfRun): boolean =>
  isSame(one.value, other.value, one.runId, other.runId) ||
  sameJson(withoutRunId(one.value, one.runId), withoutRunId(other.value, other.runId))

/**
 * Compares a value of one run with a value of another run, without copying them. `id` and `otherId`
 * are the ids of the two runs, which are ignored in texts. If an object key contains a run id, the
 * values count as different.
 */
function isSame(one: unknown, other: unknown, id: string, otherId: string): boolean {
  if (one === other) return true
  if (typeof one === "string")
    return (
      typeof other === "string" && one.replaceAll(id, "run") === other.replaceAll(otherId, "run")
    )
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index], id, otherId))
    )
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return sameJson(one, other)
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame(
          (one as Readonly<Record<string, unknown>>)[name],
          (other as Readonly<Record<string, unknown>>)[name],
          id,
          otherId,
        ),
    )
  )
}

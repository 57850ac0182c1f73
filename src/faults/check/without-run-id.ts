/**
 * Returns a copy of a value in which texts do not contain the id of the run. Each simulated run has
 * an id of its own, and programs may store it.
 */
export function withoutRunId<Value>(value: Value, runId: string): Value {
  // The cast is safe: only parts of texts are replaced.
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

/** Returns a copy of the request of a graph node without the times in its task. */
export function withoutTimes(request: unknown): unknown {
  if (Array.isArray(request)) return request.map(withoutTimes)
  if (typeof request !== "object" || request === null) return request
  return Object.fromEntries(
    Object.entries(request).flatMap(([name, field]) =>
      times.has(name) ? [] : [[name, withoutTimes(field)] as const],
    ),
  )
}

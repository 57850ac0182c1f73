import type { Vector } from "./play.mjs"

/**
 * Returns the failures of a vector. If there are any, and the vector has delays, plays it again with ten times the delays,
 * because a busy machine may be slower than a delay, so that responses arrive in another order.
 */
export async function tryAtTwoSpeeds(
  vector: Vector,
  attempt: (vector: Vector) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const failures = await attempt(vector)
  const hasDelays = JSON.stringify(vector).includes('"delayMs"')
  return failures.length > 0 && hasDelays ? await attempt(inSlowMotion(vector)) : failures
}

const longestDelay = 600_000

function inSlowMotion(vector: Vector): Vector {
  const isTime = (key: string): boolean => key === "delayMs" || key === "maxElapsedMs"
  // A JSON copy of a vector is a vector.
  return JSON.parse(JSON.stringify(vector), (key, value: unknown) =>
    isTime(key) ? Math.min(10 * Number(value), longestDelay) : value,
  ) as Vector
}

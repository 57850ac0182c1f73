import type { LiveEntry } from "./run-details.js"

/** Resolves when none of the runs has a call in flight, or after `ms` milliseconds. */
export async function settledWithin(runs: readonly LiveEntry[], ms: number): Promise<void> {
  if (ms === 0) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([Promise.all(runs.map(({ live }) => live.run.whenSettled())), late])
  clearTimeout(timer)
}

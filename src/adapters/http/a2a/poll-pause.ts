import type { TaskClock } from "../../../machines/workflow-agent/remote-task.js"

/**
 * First and maximum delay between two requests for the state of an A2A task, in milliseconds.
 * `interrupted` applies while the task waits for input, and `working` otherwise.
 */
const pauses = {
  working: { first: 500, last: 10_000 },
  interrupted: { first: 2000, last: 30_000 },
} as const

/**
 * Waits before the next request for the state of an A2A task. `attempt` is counted from 1. The
 * delay doubles with each attempt, up to a maximum. The wait ends early if the signal is aborted.
 */
export function pause(
  clock: TaskClock,
  kind: keyof typeof pauses,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  const { first, last } = pauses[kind]
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener("abort", end)
      resolve()
    }
    const cancel = clock.wakeAt(clock.now() + Math.min(last, first * 2 ** (attempt - 1)), end)
    signal.addEventListener("abort", end, { once: true })
  })
}

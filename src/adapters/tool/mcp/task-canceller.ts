import { AgentStatechartsError } from "../../../errors.js"

/** Cancels the task of a call when the call is stopped. */
export interface TaskCanceller {
  /** Sets the task of the call. */
  watch(taskId: string): void
  /** Must be called when the task has ended. */
  stop(): void
}

/**
 * Creates the canceller of a call. `signal` is the signal of the call. If the run of the call is
 * suspended, the task continues.
 */
export function taskCanceller(
  signal: AbortSignal,
  cancel: (taskId: string) => Promise<void>,
): TaskCanceller {
  let watched: string | null = null
  const abort = (): void => {
    // Errors are ignored, because the call has already ended.
    if (watched !== null && !isSuspension(signal.reason)) cancel(watched).catch(() => {})
  }
  return {
    watch(taskId) {
      if (watched !== null) return
      watched = taskId
      if (signal.aborted) abort()
      else signal.addEventListener("abort", abort, { once: true })
    },
    stop: () => signal.removeEventListener("abort", abort),
  }
}

const isSuspension = (reason: unknown): boolean =>
  reason instanceof AgentStatechartsError && reason.code === "run_suspended"

import { AgentStatechartsError } from "../../../errors.js"

/** An object that cancels the MCP task of a tool call when the call is stopped. */
export interface TaskCanceller {
  /**
   * Sets the task that is cancelled when the tool call is stopped. Only the first call of this
   * method has an effect.
   */
  watch(taskId: string): void
  /**
   * Prevents the cancellation of the task if the tool call is stopped later. Must be called when
   * the task has ended.
   */
  stop(): void
}

/**
 * Creates the canceller for the MCP task of a tool call. `signal` is the call's abort signal. If
 * the signal is aborted because the run is suspended, the task is not cancelled.
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

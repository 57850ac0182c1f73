import type { ChildProgress, WorkflowRequest } from "./workflow-call.js"

/** Callback that receives each segment of text that a remote agent streams. */
export type WriteText = (text: string) => void

/**
 * A running child run, or a running task of a remote agent. Both accept answers, report their
 * progress, and can be cancelled.
 */
export interface CalledTask {
  /**
   * Sends the answers in `request` to the task. Returns the ids of the requests that were no longer
   * pending.
   */
  deliver(request: WorkflowRequest): Promise<readonly string[]>
  /**
   * Waits for progress of the task. Returns when the task has ended, or when its pending requests
   * are no longer the requests in `request.seen`. Also returns when the task waits for people,
   * unless `request.watches` is set. Returns null if the task was suspended.
   */
  progress(
    request: WorkflowRequest,
    unused: readonly string[],
    write?: WriteText,
  ): Promise<ChildProgress | null>
  /** Cancels the task. The promise resolves when the task has ended. */
  cancel(): Promise<void>
}

/**
 * A clock with which tasks of remote agents read the time and schedule timers. The runner provides
 * it.
 */
export interface TaskClock {
  now(): number
  /**
   * Calls `wake` at this time, which is in milliseconds since the epoch. Returns a function that
   * cancels the timer.
   */
  wakeAt(time: number, wake: () => void): () => void
}

export interface RemoteTaskOptions {
  readonly clock: TaskClock
  /**
   * Whether an earlier process may already have sent the message that starts the task. The service
   * then searches for an existing task before it sends the message again.
   */
  readonly mayBeSent: boolean
}

/** A service that calls agents on other servers and returns handles for their tasks. */
export interface RemoteAgentService {
  /**
   * Returns an object that represents the remote task of a call. It sends nothing until you call
   * one of its methods.
   */
  open(request: WorkflowRequest, options: RemoteTaskOptions): RemoteTask
}

export interface RemoteTask extends CalledTask {
  /** Stops following the task. The task on the other server continues. */
  close(): void
}

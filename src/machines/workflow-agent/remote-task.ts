import type { ChildProgress, WorkflowRequest } from "./workflow-call.js"

/** Callback that receives each segment of the text that a remote agent streams. */
export type WriteText = (text: string) => void

/**
 * A running task of a remote agent, or a running child run. Both accept answers, report their
 * progress, and can be cancelled.
 */
export interface CalledTask {
  /**
   * Delivers the answers that a request contains. Returns the ids of the requests that were no
   * longer pending.
   */
  deliver(request: WorkflowRequest): Promise<readonly string[]>
  /**
   * Waits until the task has ended, or until its pending requests differ from `seen`. Unless the
   * request has `watches`, also returns when the task waits for people. Returns null if the task
   * was suspended.
   */
  progress(
    request: WorkflowRequest,
    unused: readonly string[],
    write?: WriteText,
  ): Promise<ChildProgress | null>
  /** Cancels the task. Resolves when it has ended. */
  cancel(): Promise<void>
}

/** A clock that the runner provides to the tasks of remote agents. */
export interface TaskClock {
  now(): number
  /** Calls `wake` at this time. Returns a function that cancels the call. */
  wakeAt(time: number, wake: () => void): () => void
}

export interface RemoteTaskOptions {
  readonly clock: TaskClock
  /**
   * Whether an earlier process may already have sent the message. The service then searches for the
   * existing task before it sends the message again.
   */
  readonly mayBeSent: boolean
}

/** A service that calls remote agents. */
export interface RemoteAgentService {
  /**
   * Returns a handle for the remote task of a call. Nothing is sent until one of the handle's
   * methods is called.
   */
  open(request: WorkflowRequest, options: RemoteTaskOptions): RemoteTask
}

export interface RemoteTask extends CalledTask {
  /** Stops following the task. The task on the server continues. */
  close(): void
}

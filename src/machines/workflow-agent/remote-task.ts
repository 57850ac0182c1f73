import type { ChildProgress, WorkflowRequest } from "./workflow-call.js"

/** Receives the text that a remote agent streams. */
export type WriteText = (text: string) => void

/**
 * The task of a remote agent, or a child run. Both start when they are opened, accept answers, and
 * report their progress.
 */
export interface CalledTask {
  /**
   * Sends the answers of a request. Returns the ids of the requests that were no longer pending.
   */
  deliver(request: WorkflowRequest): Promise<readonly string[]>
  /**
   * Waits until the task has ended, or until its pending requests differ from `seen`. If `watches`
   * is not true, also returns when the task waits for people. Returns null if the task was
   * suspended.
   */
  progress(
    request: WorkflowRequest,
    unused: readonly string[],
    write?: WriteText,
  ): Promise<ChildProgress | null>
  /** Cancels the task. Resolves when it has ended. */
  cancel(): Promise<void>
}

/** A clock that the runner provides. */
export interface TaskClock {
  now(): number
  /** Calls `wake` at a time. Returns a function that prevents the call. */
  wakeAt(time: number, wake: () => void): () => void
}

export interface RemoteTaskOptions {
  readonly clock: TaskClock
  /**
   * Whether an earlier process may already have sent the message. The service then looks for its
   * task before it sends the message again.
   */
  readonly mayBeSent: boolean
}

/** Calls remote agents. */
export interface RemoteAgentService {
  /** Returns the task of a call. It does nothing until its first method is called. */
  open(request: WorkflowRequest, options: RemoteTaskOptions): RemoteTask
}

export interface RemoteTask extends CalledTask {
  /** Stops following the task. The task on the server continues. */
  close(): void
}

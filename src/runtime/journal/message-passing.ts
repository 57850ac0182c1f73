/**
 * Result of passing a message to the process that owns a run. `accepted` means that the run has
 * accepted the message.
 */
export type PassedMessage =
  | { readonly status: "accepted" }
  /**
   * The process that owns the run has rejected the message. `code` and `message` describe the
   * reason.
   */
  | { readonly status: "refused"; readonly code: string; readonly message: string }
  /**
   * No other process owns the run, or the owner is ending its ownership. The message was not
   * processed.
   */
  | { readonly status: "unowned" }

/**
 * Handles a message from another process for a run that this process executes. `message` is the
 * JSON value that the other process has passed to `send`.
 */
export type MessageReceiver = (runId: string, message: unknown) => Promise<PassedMessage>

/** Passes messages, such as answers, to runs that other processes execute. */
export interface MessagePassing {
  /**
   * Sends a message to the process that owns a run, and resolves to the response of this process.
   * The message is a JSON value such as a `RunMessage`. It is processed at most once.
   *
   * @throws AgentStatechartsError `run_owned` if the owner does not answer, or if it has ended and
   * may have processed the message
   */
  send(runId: string, message: unknown): Promise<PassedMessage>
  /** Registers a function that handles the messages of other processes. */
  receive(receiver: MessageReceiver): void
}

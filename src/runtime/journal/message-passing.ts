/** The outcome of passing a message to the process that owns a run. */
export type PassedMessage =
  | { readonly status: "accepted" }
  /** The owner has refused the message for this reason. */
  | { readonly status: "refused"; readonly code: string; readonly message: string }
  /** No other process owns the run, or its owner is releasing it. The message was not processed. */
  | { readonly status: "unowned" }

/**
 * A function that passes a message from another process to a run that this process executes. The
 * message is the JSON value that was sent.
 */
export type MessageReceiver = (runId: string, message: unknown) => Promise<PassedMessage>

/** A channel for messages to runs that other processes execute. */
export interface MessagePassing {
  /**
   * Passes a message, which is a JSON value such as a `RunMessage`, to the owner of a run, and waits
   * for its answer. The message is processed at most once.
   *
   * @throws AgentStatechartsError `run_owned` if the owner does not answer, or if it has ended and
   * may have processed the message
   */
  send(runId: string, message: unknown): Promise<PassedMessage>
  /** Registers a receiver for the messages of other processes. */
  receive(receiver: MessageReceiver): void
}

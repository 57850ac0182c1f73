import type {
  RestatePromise as Promised,
  WorkflowContext,
  WorkflowSharedContext,
} from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { MessageOutcome } from "../message-outcome.js"
import { throwIfRejected } from "../message-outcome.js"
import { CancelledError, TerminalError } from "./sdk.js"

/**
 * An entry in the inbox of a run on Restate. An entry with `message` is a message to the run. Its
 * outcome is stored in the durable promise with the name `verdict`. An entry with `show` requests
 * the state of the run, which is stored in the durable promise with this name. An entry with
 * `closed` closes the inbox.
 */
export type InboxEntry =
  | { readonly message: RunMessage; readonly at: number; readonly verdict: string }
  | { readonly show: string }
  | { readonly closed: true }

/**
 * Returns the durable promise of Restate for the inbox entry with number `n`, counted from 0. A
 * promise can be resolved only once. If a sender finds a resolved promise, it tries the next
 * number. The run reads the entries in order.
 */
const entryPromise = (ctx: WorkflowSharedContext, n: number) =>
  ctx.promise<InboxEntry>(`letter:${n}`)

/**
 * Key of the Restate workflow state that contains the number of inbox entries that the run has
 * read. A sender tries this entry number first when it searches for a free entry.
 */
const readKey = "letters"

/**
 * Adds an entry to the inbox of a run. Resolves after Restate has stored the entry.
 *
 * @throws AgentStatechartsError `run_finished` if the inbox is closed
 */
export async function post(ctx: WorkflowSharedContext, entry: InboxEntry): Promise<void> {
  for (let n = (await ctx.get<number>(readKey)) ?? 0; !(await isFirst(ctx, n, entry)); n++) {
    const existing = await entryPromise(ctx, n).peek()
    if (existing !== undefined && "closed" in existing)
      throw new AgentStatechartsError(
        "run_finished",
        `run "${ctx.key}" has finished and does not accept input`,
      )
  }
}

/**
 * The stored outcome of a message to a run. The outcome is wrapped in an object, because it may be
 * null, and Restate treats a promise without a value as unresolved.
 */
interface StoredOutcome {
  readonly verdict: MessageOutcome
}

/** Sends the outcome of a message to its sender, who waits for the durable promise `name`. */
export function reportOutcome(ctx: WorkflowContext, name: string, outcome: MessageOutcome): void {
  void ctx.promise<StoredOutcome>(name).resolve({ verdict: outcome })
}

/**
 * Waits for the outcome of a message, which arrives in the durable promise `name`. Resolves if the
 * run has accepted the message.
 *
 * @throws AgentStatechartsError the error with which the run has rejected the message
 */
export async function readOutcome(ctx: WorkflowSharedContext, name: string): Promise<void> {
  throwIfRejected((await ctx.promise<StoredOutcome>(name)).verdict)
}

async function isFirst(ctx: WorkflowSharedContext, n: number, entry: InboxEntry): Promise<boolean> {
  try {
    await entryPromise(ctx, n).resolve(entry)
    return true
  } catch (error) {
    if (!(error instanceof TerminalError) || error instanceof CancelledError || error.code !== 409)
      throw error
    return false
  }
}

/**
 * The reading side of a run's inbox. The run itself uses it to read entries. Senders add entries
 * with `post`.
 */
export interface Inbox {
  /**
   * Returns a promise of the first entry that is not marked as read, which is the current entry.
   */
  next(): Promised<InboxEntry>
  /** Marks the current entry as read. The next entry becomes the current entry. */
  advance(): void
  /** Passes all unread entries to `read`, then closes the inbox. */
  close(read: (entry: InboxEntry) => void): Promise<void>
}

export function inboxOf(ctx: WorkflowContext): Inbox {
  let n = 0
  const advance = (): void => ctx.set(readKey, ++n)
  return {
    next: () => entryPromise(ctx, n).get(),
    advance,
    async close(read) {
      // A cancellation has no effect here, because the run has already ended.
      for (;;) {
        try {
          if (await isFirst(ctx, n, { closed: true })) return
          const entry = await entryPromise(ctx, n).get()
          if ("closed" in entry) return
          read(entry)
          advance()
        } catch (error) {
          if (!(error instanceof CancelledError)) throw error
        }
      }
    },
  }
}

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
 * An entry of the inbox: a message with the promise for its outcome, a state query with the promise
 * for its reply, or the end marker, after which no entry is accepted.
 */
export type InboxEntry =
  | { readonly message: RunMessage; readonly at: number; readonly verdict: string }
  | { readonly show: string }
  | { readonly closed: true }

/**
 * Inbox entries are durable promises with consecutive numbers: `letter:7` is the eighth. A promise
 * can be resolved only once, so a sender that finds one resolved tries the next. The run reads them
 * in order.
 */
const entryPromise = (ctx: WorkflowSharedContext, n: number) =>
  ctx.promise<InboxEntry>(`letter:${n}`)

/** Key of the number of entries that the run has read. Senders start at this number. */
const readKey = "letters"

/**
 * Stores an entry in the inbox of a run. Once this resolves, the entry cannot be lost.
 *
 * @throws AgentStatechartsError `run_finished`.
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
 * Stored outcome of a message. It is an object, because Restate treats a promise without a value as
 * unresolved.
 */
interface StoredOutcome {
  readonly verdict: MessageOutcome
}

/** Reports the outcome of a message to its sender. */
export function reportOutcome(ctx: WorkflowContext, name: string, outcome: MessageOutcome): void {
  void ctx.promise<StoredOutcome>(name).resolve({ verdict: outcome })
}

/**
 * Waits for the outcome of a message.
 *
 * @throws AgentStatechartsError the refusal of the run.
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

/** The inbox as the run reads it. */
export interface Inbox {
  /** Returns the promise of the next entry. */
  next(): Promised<InboxEntry>
  /** Marks the next entry as read. */
  advance(): void
  /** Closes the inbox after passing the remaining entries to `read`. */
  close(read: (entry: InboxEntry) => void): Promise<void>
}

export function inboxOf(ctx: WorkflowContext): Inbox {
  let n = 0
  const advance = (): void => ctx.set(readKey, ++n)
  return {
    next: () => entryPromise(ctx, n).get(),
    advance,
    async close(read) {
      // If the invocation is cancelled while its run is ending, there is nothing more to do.
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

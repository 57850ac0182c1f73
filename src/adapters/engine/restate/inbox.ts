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

/** What is sent to a run: a message, and the promise that is resolved with what became of it, a question for how it stands, whose answer is given to the promise of that name, or the last letter, after which none is taken. */
export type InboxMessage =
  | { readonly message: RunMessage; readonly at: number; readonly verdict: string }
  | { readonly show: string }
  | { readonly closed: true }

/**
 * Letters to a run, numbered without a gap: the promise `letter:7` of the workflow is the eighth. A promise can be resolved once,
 * so whoever finds one resolved tries the next, and the run reads them in their order.
 */
const letterAt = (ctx: WorkflowSharedContext, n: number) => ctx.promise<InboxMessage>(`letter:${n}`)

/** Where those who send begin to try: how many the run has read. */
const readKey = "letters"

/**
 * Puts a letter into the inbox of a run: from then on it will not be lost.
 *
 * @throws AgentStatechartsError `run_finished`.
 */
export async function post(ctx: WorkflowSharedContext, letter: InboxMessage): Promise<void> {
  for (let n = (await ctx.get<number>(readKey)) ?? 0; !(await isFirst(ctx, n, letter)); n++) {
    const there = await letterAt(ctx, n).peek()
    if (there !== undefined && "closed" in there)
      throw new AgentStatechartsError(
        "run_finished",
        `run "${ctx.key}" has finished and does not accept input`,
      )
  }
}

/** What became of a message. A promise of Restate without a value is not resolved. */
interface StoredOutcome {
  readonly verdict: MessageOutcome
}

/** Tells the sender of a message what became of it. */
export function reportOutcome(ctx: WorkflowContext, name: string, verdict: MessageOutcome): void {
  void ctx.promise<StoredOutcome>(name).resolve({ verdict })
}

/** @throws AgentStatechartsError the refusal of the run. */
export async function readOutcome(ctx: WorkflowSharedContext, name: string): Promise<void> {
  throwIfRejected((await ctx.promise<StoredOutcome>(name)).verdict)
}

async function isFirst(
  ctx: WorkflowSharedContext,
  n: number,
  letter: InboxMessage,
): Promise<boolean> {
  try {
    await letterAt(ctx, n).resolve(letter)
    return true
  } catch (error) {
    if (!(error instanceof TerminalError) || error instanceof CancelledError || error.code !== 409)
      throw error
    return false
  }
}

/** The inbox as the run sees it. */
export interface Inbox {
  /** The letter that comes next. */
  next(): Promised<InboxMessage>
  /** That letter has been read. */
  advance(): void
  /** Takes no more letters; those that have come are read to the last. */
  close(read: (letter: InboxMessage) => void): Promise<void>
}

export function inboxOf(ctx: WorkflowContext): Inbox {
  let n = 0
  const advance = (): void => ctx.set(readKey, ++n)
  return {
    next: () => letterAt(ctx, n).get(),
    advance,
    async close(read) {
      // Who cancels an invocation while its run ends has got what he wanted.
      for (;;) {
        try {
          if (await isFirst(ctx, n, { closed: true })) return
          const letter = await letterAt(ctx, n).get()
          if ("closed" in letter) return
          read(letter)
          advance()
        } catch (error) {
          if (!(error instanceof CancelledError)) throw error
        }
      }
    },
  }
}

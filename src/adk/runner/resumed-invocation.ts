import { AgentStatechartsError } from "../../errors.js"
import type { Journal } from "../../runtime/journal/journal.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import type { Content } from "../events/content.js"
import { contentOf } from "../events/message-parts.js"
import type { Run } from "../../runtime/run/run.js"
import type { Runner as ChartRunner } from "../../runtime/runner/runner.js"
import type { RunInvocation } from "../plugins/base-plugin.js"
import type { RunReader } from "./run-reader.js"

/** An invocation that an earlier process started and that this process has resumed. */
export interface ResumedInvocation {
  readonly invocation: RunInvocation
  /** Reads the events that the invocation emits after it has been resumed. */
  readonly reader: RunReader
}

/**
 * Returns the user message that started an invocation. Reads the message from the journal.
 *
 * @throws AgentStatechartsError `argument_invalid` without a journal, or `run_unknown` if the
 * session has no such invocation
 */
export async function storedMessage(
  invocationId: string,
  { appName, userId, sessionId }: SessionKey,
  journal: Journal | undefined,
): Promise<Content> {
  if (journal === undefined)
    throw new AgentStatechartsError(
      "argument_invalid",
      "runAsync was called with an invocationId, but the Runner has no journal; pass the journal that contains the invocation to the constructor",
    )
  const input = (await journal.load(invocationId))?.header.input
  const key = input?.session
  if (
    input === undefined ||
    key?.appName !== appName ||
    key.userId !== userId ||
    key.sessionId !== sessionId
  )
    throw new AgentStatechartsError(
      "run_unknown",
      `the journal contains no invocation "${invocationId}" of the session "${sessionId}"`,
    )
  return contentOf({ role: "user", content: input.prompt ?? "" })
}

/** Resumes a run and returns a reader for the events that the run emits from now on. */
export async function readerOfResumed(
  runner: ChartRunner,
  runId: string,
  readerOf: (run: Run) => RunReader,
): Promise<RunReader> {
  const readers: RunReader[] = []
  const run = await runner.resume(runId, {
    before(opened) {
      const reader = readerOf(opened)
      reader.skipPast()
      readers.push(reader)
    },
  })
  return readers[0] ?? readerOf(run)
}

/** Throws the error for a call of `runAsync` that has neither a message nor an invocation id. */
export function refuseWithoutMessage(): never {
  throw new AgentStatechartsError(
    "argument_invalid",
    "runAsync was called without a newMessage; pass the message of the user, or the invocationId of an invocation to resume",
  )
}

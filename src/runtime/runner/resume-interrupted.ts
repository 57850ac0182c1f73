import { AgentStatechartsError } from "../../errors.js"
import type { Journal } from "../journal/journal.js"
import { isResumable } from "../journal/journal.js"
import type { Run } from "../run/run.js"

/**
 * Result of `runner.resumeInterrupted`: the resumed runs, and the runs that could not be resumed.
 */
export interface InterruptedRuns {
  readonly resumed: readonly Run[]
  /** Ids and errors of the runs that could not be resumed. */
  readonly failed: readonly { readonly runId: string; readonly error: unknown }[]
}

/**
 * Resumes all interrupted runs of a journal. Waiting runs are resumed if a deadline has passed at
 * the time `now` (milliseconds since the epoch). `createResume` is called after the journal has
 * listed the runs. It returns the function that resumes one run.
 *
 * @throws AgentStatechartsError `argument_invalid` if the journal has no method `list`
 */
export async function resumeInterrupted(
  journal: Journal,
  now: number,
  createResume: () => (runId: string) => Promise<Run>,
): Promise<InterruptedRuns> {
  if (journal.list === undefined)
    throw new AgentStatechartsError(
      "argument_invalid",
      "resumeInterrupted needs a journal with the method list; implement list, or call resume with the ids of your runs",
    )
  const interrupted = (await journal.list({ resumableAt: now })).filter((run) =>
    isResumable(run, now),
  )
  const resume = createResume()
  const settled = await Promise.allSettled(interrupted.map(({ runId }) => resume(runId)))
  const resumed: Run[] = []
  const failed: { readonly runId: string; readonly error: unknown }[] = []
  for (const [index, { runId }] of interrupted.entries()) {
    const result = settled[index]
    if (result?.status === "fulfilled") resumed.push(result.value)
    else if (result !== undefined && !isOwned(result.reason))
      failed.push({ runId, error: result.reason })
  }
  return { resumed, failed }
}

/** Returns true if `error` means that another process has resumed the run in the meantime. */
const isOwned = (error: unknown): boolean =>
  error instanceof AgentStatechartsError && error.code === "run_owned"

import type { Clock } from "../driver/host.js"
import type { PastCalls } from "../history/past-calls.js"
import { pastCalls } from "../history/past-calls.js"
import type { LoadRun } from "../history/past-children.js"
import { pastChildren } from "../history/past-children.js"
import type { PastChild } from "../history/recorded-children.js"
import { RecordedCalls } from "../history/recorded-calls.js"
import type { StoredRun } from "../journal/journal.js"
import { systemClock } from "./system-clock.js"

/** Options of `recordedCalls`, which lets a run reuse the recorded results of another run. */
export interface RecordedCallsOptions {
  /**
   * If true, model and tool calls without a recorded result are skipped. If false, they are made.
   * Default: false.
   */
  readonly offline?: boolean
  /** Clock that measures the duration of new calls. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Returns the recorded calls of a stored run, for the option `recorded` of `createRunner`. A run
 * with this option reuses the recorded results instead of calling models and tools.
 *
 * @example
 * const recorded = recordedCalls(await journal.load(runId))
 * await createRunner({ ...services, recorded }).start(editedChart).whenSettled()
 * console.log(recorded.report().firstDivergence)
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export const recordedCalls = (
  stored: StoredRun,
  options: RecordedCallsOptions = {},
): RecordedCalls => recordedCallsOf(stored, options, pastCalls(stored), [])

/**
 * Returns the recorded calls of a stored run and of its child runs, for the option `recorded` of
 * `createRunner`. `load` loads a stored child run by its id.
 */
export async function recordedCallsWithChildren(
  stored: StoredRun,
  load: LoadRun,
  options: RecordedCallsOptions = {},
): Promise<RecordedCalls> {
  const past = pastCalls(stored)
  return recordedCallsOf(stored, options, past, await pastChildren(past, load))
}

const recordedCallsOf = (
  stored: StoredRun,
  { offline = false, clock = systemClock }: RecordedCallsOptions,
  past: PastCalls,
  children: readonly PastChild[],
): RecordedCalls =>
  new RecordedCalls({
    past,
    children,
    runId: stored.header.runId,
    keysAs: `${stored.header.runId}~rerun`,
    startedAt: stored.header.at,
    clock,
    isOffline: offline,
  })

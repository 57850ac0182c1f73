import type { CompleteJournal, StoredRun } from "../runtime/journal/journal.js"
import { loadRun, storeRun } from "../runtime/journal/stored-run.js"
import { adopt } from "../runtime/runner/adopt.js"
import { fork } from "../runtime/runner/fork.js"
import { overrideInstructions } from "./override-instructions.js"

/** The position at which a run is forked, and the changes of the fork at this position. */
export interface ForkChanges {
  /** Position of the fork, which is the number of journal records to copy from the original run. */
  readonly at: number
  /** Session state entries to set at the position `at`. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Session state keys to remove at the position `at`. */
  readonly remove?: readonly string[]
  /**
   * First user message of the fork. Allowed only if `at` is 0. Default: the message of the original
   * run.
   */
  readonly prompt?: string
  /**
   * New instructions of agents, by agent id. They apply to the model calls of the fork, but not to
   * responses that were copied.
   */
  readonly instructions?: Readonly<Record<string, string>>
}

/**
 * Creates a fork of a run and stores it in the journal without starting it. Resolves to the run id
 * of the fork, which is a random UUID.
 */
export async function storeFork(
  journal: CompleteJournal,
  runId: string,
  { instructions = {}, ...changes }: ForkChanges,
): Promise<string> {
  const stored = await loadRun(journal, runId)
  const forkId = crypto.randomUUID()
  const forked = fork(stored, { ...changes, runId: forkId, now: Date.now() })
  await storeRun(
    journal,
    Object.keys(instructions).length === 0 ? forked : withInstructions(forked, instructions),
  )
  return forkId
}

/**
 * Returns a copy of a forked run in which agents have new instructions. The copied records still
 * contain the responses to the old instructions.
 */
function withInstructions(
  forked: StoredRun,
  instructions: Readonly<Record<string, string>>,
): StoredRun {
  const { chart, runId, forkedFrom } = forked.header
  const edited = overrideInstructions(chart, instructions)
  // The fork is stored only once, so the id of this intermediate run is never visible.
  const { header, records } = adopt(forked, edited, { runId: `${runId}~` })
  const { keptKeys: _keptKeys, ...others } = header
  const origin =
    forkedFrom === undefined ? {} : { forkedFrom: { ...forkedFrom, chart: chart.fingerprint } }
  return { header: { ...others, runId, ...origin }, records }
}

import type { JournalRecord } from "../../runtime/journal/journal.js"
import type { CallLog } from "../environment/call-log.js"
import type { AnswersOfRun, ScriptedAttempt } from "../environment/scripted-answers.js"
import type { ObservedRun, SharedPast, SimulatedRunOptions } from "./observed-run.js"
import type { PastEvents } from "./past-events.js"
import type { People } from "./people.js"

/**
 * The parts of a simulated run that have mutable state, except for the journal and the state
 * machines.
 */
export interface RunParticipants {
  readonly log: CallLog
  readonly people: People
  readonly answers: AnswersOfRun
}

/**
 * An earlier process of the run that was killed. This process is not simulated again. Instead, the
 * data that it left is restored.
 */
export interface KilledProcess extends PastEvents {
  readonly records: readonly JournalRecord[]
  /**
   * Time of the kill, in milliseconds since the epoch. Faults that change the clock do not affect
   * it.
   */
  readonly time: number
  /** Restores the state of the run at the time of the kill. */
  restore(run: RunParticipants): void
}

/**
 * Returns the killed process from which the run resumes. Returns null if the run does not start
 * with a resume after a kill.
 */
export function killedProcess(options: SimulatedRunOptions): KilledProcess | null {
  const { disk, past, fault, baseline, runId } = options
  if (disk?.killed != null) {
    const { records, entries, events, time } = disk.killed
    return {
      runId,
      events,
      records,
      time,
      restore({ log, people }) {
        log.restore(entries, records)
        restorePeople(baseline, records.length, people)
      },
    }
  }
  if (past === null || fault?.record !== past.records) return null
  const { baseline: first, checkpoint, records: count } = past
  const stored = fault.kind === "kill-before" ? count : count + 1
  const records = first.records.slice(0, stored)
  return {
    runId: first.runId,
    events: first.events.slice(0, checkpoint.events),
    records,
    time: checkpoint.time,
    restore(run) {
      run.log.copyFrom(first.log, checkpoint.log)
      for (const attempt of attemptsOfIgnoring(past)) run.answers.take(attempt)
      for (const record of records.slice(count)) run.log.stored(record)
      restorePeople(first, stored, run.people)
    },
  }
}

/**
 * Returns the attempts to call services that ignore idempotency keys. Includes only attempts before
 * the checkpoint.
 */
export const attemptsOfIgnoring = ({
  baseline,
  checkpoint,
}: SharedPast): readonly ScriptedAttempt[] => baseline.answers.ofIgnoring.slice(0, checkpoint.taken)

/**
 * Marks scripted answers and waits as used if the killed process has executed them. `stored` is the
 * number of journal records that this process stored.
 */
function restorePeople(baseline: ObservedRun | null, stored: number, people: People): void {
  for (const answer of baseline?.sentAnswers ?? []) if (answer.record < stored) people.use(answer)
  for (const awaited of baseline?.awaited ?? []) if (awaited.record <= stored) people.wait(awaited)
}

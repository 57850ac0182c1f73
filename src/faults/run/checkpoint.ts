import type { EventLog } from "../../runtime/events/event-log.js"
import type { RunParticipants } from "./killed-process.js"
import type { Checkpoint, ObservedRun, PlacedFault, SharedPast } from "./observed-run.js"
import type { SimulatedProcess } from "./simulated-process.js"

/**
 * Records checkpoints during the run without a fault. Each checkpoint is recorded before a journal
 * record is stored. Runs with a fault can start from these checkpoints.
 */
export class CheckpointRecorder {
  readonly all: Checkpoint[] = []
  /** Number of events that the run had emitted at the last checkpoint. */
  #events = 0

  add(process: SimulatedProcess, events: EventLog, { log, answers }: RunParticipants): void {
    while (events.event(this.#events) !== undefined) this.#events++
    this.all.push({
      time: process.time,
      events: this.#events,
      log: log.position,
      taken: answers.ofIgnoring.length,
      canBegin: !process.hasSideEffects,
    })
  }
}

/**
 * Returns the first part of the run without a fault that a run with this fault can copy. The part
 * is as long as possible. Returns null if the run cannot copy any journal record.
 */
export function sharedPast(fault: PlacedFault, baseline: ObservedRun): SharedPast | null {
  const { checkpoints } = baseline
  let records = lastRecordBefore(fault, baseline)
  while (records > 0 && checkpoints[records]?.canBegin !== true) records--
  const checkpoint = checkpoints[records]
  return checkpoint === undefined || records <= 0 ? null : { baseline, checkpoint, records }
}

/**
 * Returns the index of the last checkpoint that the run reaches before the fault. This is also the
 * number of journal records before the checkpoint.
 */
function lastRecordBefore(
  fault: PlacedFault,
  { checkpoints, sentAnswers: given, log }: ObservedRun,
): number {
  const { record, attempt, answer } = fault
  if (record !== undefined) return record
  if (attempt !== undefined) {
    const first = log.attempts.findIndex(
      (made) => made.key === attempt.key && made.attempt === attempt.attempt,
    )
    return checkpoints.findLastIndex((checkpoint) => checkpoint.log.attempts <= first)
  }
  return given.find((each) => each.index === answer)?.record ?? 0
}

import { AgentStatechartsError } from "../../errors.js"
import { isOutside } from "../../runtime/journal/journal.js"
import { giveMessage } from "../../runtime/run/give-message.js"
import { CheckedControls } from "../../runtime/run/run-controls.js"
import type { RunExecution } from "../../runtime/run/run-execution.js"
import type { SharedPast } from "./observed-run.js"
import { attemptsOfIgnoring, type RunParticipants } from "./killed-process.js"
import type { SimulatedProcess } from "./simulated-process.js"

/**
 * Opens a run and replays its first journal records, which it copies from the run without a fault.
 * The clock is set to the original time of each record. Calls whose result is in these records are
 * skipped. All other calls are made, because they are still in flight after the last copied record.
 */
export async function repeatPast(
  past: SharedPast,
  process: SimulatedProcess,
  run: RunParticipants,
  open: () => Promise<RunExecution>,
): Promise<void> {
  const { baseline, records: count } = past
  const { checkpoints } = baseline
  const records = baseline.records.slice(0, count)
  const known = new Set(records.map(([n]) => n))
  const given = new Map(baseline.sentAnswers.map((answer) => [answer.record, answer] as const))
  run.log.copyFrom(baseline.log, past.checkpoint.log)
  // Calls that are still in flight receive the same responses as in the run without a fault.
  for (const attempt of attemptsOfIgnoring(past)) run.answers.reserve(attempt)
  for (const awaited of baseline.awaited) if (awaited.record < count) run.people.wait(awaited)
  process.skipCalls((n) => known.has(n))
  const resumeLog = run.log.pause()
  const execution = await open()
  for (const [index, record] of records.entries()) {
    await process.settleNewCalls()
    process.clock.set(checkpoints[index]?.time ?? process.clock.now())
    const answer = given.get(index)
    if (!isOutside(record)) void execution.append(record)
    else if (answer === undefined)
      throw new AgentStatechartsError(
        "internal",
        `the record ${index} is not the answer of a person`,
      )
    else {
      run.people.use(answer)
      giveMessage(new CheckedControls(execution), answer.message)
    }
  }
  await process.settle()
  resumeLog()
}

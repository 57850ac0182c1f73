import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Envelope } from "../../machines/contract/services.js"
import type { RunError, RunResult } from "../../machines/contract/run-event.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import type { Host } from "../driver/host.js"
import type { Journal, JournalHeader } from "../journal/journal.js"
import type { RunInput } from "../run/new-run.js"
import { newRun } from "../run/new-run.js"
import { RunExecution } from "../run/run-execution.js"
import { loadProgram } from "../driver/program.js"
import type { Run } from "../run/run.js"
import { RunHandle } from "../run/run.js"
import type { RunMessage } from "../run/run-message.js"
import { giveMessage } from "../run/give-message.js"
import type { Engine } from "./engine.js"

/** A run as an engine is asked to carry it: plain JSON. */
export interface RunOrder extends RunInput {
  readonly runId: string
  readonly chart: AgentChart
  /** When it was ordered, in milliseconds since the epoch. */
  readonly at: number
  /** Whether it waits for the user's next message where a conversation rests (adk). Left out, its first turn is its end. */
  readonly conversation?: boolean
}

export interface ExecuteRunOptions {
  /** Why the run cannot start, if so: `missing` of `callPerformer` says it. */
  readonly refusal?: RunError | null
  /** Told of the run before it begins, for its `events$`. They are told again whenever the run is carried again. */
  readonly opened?: (run: Run) => void
}

/** The engine keeps what happens. */
const noJournal: Journal = { create: () => {}, append: () => {}, load: () => null }

/**
 * Carries a run on an engine: the same driver, fed with what the engine gives out. It reads no clock, so that it does the same whenever
 * it is run again.
 *
 * @throws AgentStatechartsError `chart_invalid` for a chart that cannot be run, `input_refused` for what a run cannot keep. What the engine throws is passed on.
 */
export async function executeRun(
  order: RunOrder,
  engine: Engine,
  { refusal = null, opened = () => {} }: ExecuteRunOptions = {},
): Promise<RunResult> {
  const machine = compiledMachines(loadProgram(order.chart))
  const header: JournalHeader = newRun(order.chart, order, { runId: order.runId, at: order.at })
  let { at } = order
  const waiting = new Map<number, (result: Envelope) => void>()
  const host: Host = {
    now: () => at,
    start(call, complete) {
      waiting.set(call.n, complete)
      const stop = engine.begin(call, at)
      return () => {
        waiting.delete(call.n)
        stop()
      }
    },
  }
  const carried = new RunExecution(
    { header, machine, host, journal: noJournal, refusal, session: null },
    false,
  )
  const run = new RunHandle(carried, order.runId, carried.log)
  opened(run)
  carried.open(null, () => {})
  // Where a conversation rests, the run is over unless the order is for the whole of it.
  while (carried.isOpen() && (order.conversation === true || !carried.isBetweenInvocations())) {
    const happening = await engine.next(run)
    const isMessage = "message" in happening
    // Clocks of several machines differ; the time of a run does not go back.
    at = Math.max(at, isMessage ? happening.at : happening.result.at)
    if (isMessage) give(run, happening.message, engine)
    else {
      const complete = waiting.get(happening.n)
      waiting.delete(happening.n)
      complete?.({ ...happening.result, at })
    }
  }
  return run.snapshot()
}

function give(run: Run, message: RunMessage, engine: Engine): void {
  try {
    giveMessage(run, message)
    engine.accepted?.(message)
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    engine.refused?.(message, error)
  }
}

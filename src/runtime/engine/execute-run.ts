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
import { policyGate } from "../policies/policy-gate.js"
import { loadProgram } from "../program/load-program.js"
import type { Run } from "../run/run.js"
import { RunHandle } from "../run/run.js"
import type { RunMessage } from "../run/run-message.js"
import { giveMessage } from "../run/give-message.js"
import type { Engine } from "./engine.js"

/**
 * Input of `executeRun`: the chart to execute, its input, the id and the start time of the run. It
 * can be stored as JSON.
 */
export interface RunOrder extends RunInput {
  readonly runId: string
  readonly chart: AgentChart
  /** Start time of the run in milliseconds since the epoch. */
  readonly at: number
  /**
   * If true, the run waits for the next user message after each invocation (adk dialect). If false,
   * the run ends after the first invocation. Default: false.
   */
  readonly conversation?: boolean
}

/** Options of `executeRun`, which executes a run on a durable execution engine. */
export interface ExecuteRunOptions {
  /**
   * If set, the run fails at its start with this error. Pass the result of `CallPerformer.missing`,
   * which reports missing services. Default: null.
   */
  readonly refusal?: RunError | null
  /**
   * Called with the run before it starts, for example to subscribe to its events. If the engine
   * executes the run again after a crash, the run emits its events again.
   */
  readonly opened?: (run: Run) => void
}

/**
 * A journal that stores nothing. Runs on an engine need no journal, because the engine stores the
 * results of calls.
 */
const noJournal: Journal = { create: () => {}, append: () => {}, load: () => null }

/**
 * Executes a run on a durable execution engine such as Temporal. Resolves to the result of the run.
 * The function never reads the system clock, so the same events always have the same result. If the
 * engine throws an error, the function throws the same error.
 *
 * @throws AgentStatechartsError `chart_invalid`, or `input_refused` if the input cannot be stored
 */
export async function executeRun(
  order: RunOrder,
  engine: Engine,
  { refusal = null, opened = () => {} }: ExecuteRunOptions = {},
): Promise<RunResult> {
  const machine = compiledMachines(loadProgram(order.chart))
  const header: JournalHeader = newRun(order.chart, order, { runId: order.runId, at: order.at })
  let { at } = order
  const inFlight = new Map<number, (result: Envelope) => void>()
  const host: Host = {
    now: () => at,
    start(call, complete) {
      inFlight.set(call.n, complete)
      const stop = engine.begin(call, at)
      return () => {
        inFlight.delete(call.n)
        stop()
      }
    },
  }
  const execution = new RunExecution(
    { header, machine, host, journal: noJournal, refusal, session: null, policyGate },
    false,
  )
  const run = new RunHandle(execution, order.runId, execution.log)
  opened(run)
  execution.open(null, () => {})
  // A workflow graph that was cancelled stays active until it has posted its end to its webhook.
  while (
    execution.lifecycle.isActive &&
    (order.conversation === true || !execution.isBetweenInvocations())
  ) {
    const event = await engine.next(run)
    const isMessage = "message" in event
    // The clocks of different machines may differ, but the time of a run must never decrease.
    at = Math.max(at, isMessage ? event.at : event.result.at)
    if (isMessage) give(run, event.message, engine)
    else {
      const complete = inFlight.get(event.n)
      inFlight.delete(event.n)
      complete?.({ ...event.result, at })
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

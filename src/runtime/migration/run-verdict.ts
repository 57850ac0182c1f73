import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { CompiledMachine } from "../driver/compiled-machine.js"
import { compiledMachines } from "../driver/compiled-machine.js"
import { describeKnownCall } from "../history/call-key.js"
import type { CompleteReplay } from "../history/replay.js"
import { replayWith } from "../history/replay.js"
import { pastRun } from "../history/replayed-run.js"
import { SteppedRun } from "./stepped-run.js"
import type { JournalHeader, StoredRun, StoredRunStatus } from "../journal/journal.js"
import { loadProgram } from "../program/load-program.js"
import type { RunExecution } from "../run/run-execution.js"

/**
 * Result of replaying an open run with another chart (docs/semantics.md#migration).
 * - `current`: the run already has this chart.
 * - `ended`: the run has ended, so its chart does not change.
 * - `adoptable`: the chart processes all records in the same way, and the run then waits for the
 *   same requests and calls.
 * - `forkable`: the charts differ after record `at`. `lost` contains the recorded answers and
 *   results that the chart does not use.
 * - `stays`: the run would fail with this chart, so it must not be migrated.
 */
export type RunVerdict =
  | { readonly verdict: "current" | "ended" }
  | { readonly verdict: "adoptable"; readonly run: StoredRun; readonly status: StoredRunStatus }
  | {
      readonly verdict: "forkable"
      readonly at: number
      readonly lost: LostRecords
      /** Reason why the run cannot be forked. null if it can be forked. */
      readonly obstacle: ForkObstacle | null
      readonly run: StoredRun
      readonly status: StoredRunStatus
    }
  | { readonly verdict: "stays"; readonly message: string }

/**
 * Reason why a run cannot be forked: another run has called it (`child-run`), it waits for a run
 * that it has called (`called-run`), or it belongs to a session (`session`).
 */
export type ForkObstacle = "child-run" | "called-run" | "session"

/**
 * Recorded answers and results that the new chart does not use. They would be lost in a migration.
 */
export interface LostRecords {
  /**
   * The recorded messages that the new chart does not use. An answer is listed by the id of its
   * request. Any other message is listed by its type.
   */
  readonly answers: readonly string[]
  /** Descriptions of the finished calls whose results the new chart does not use. */
  readonly calls: readonly string[]
}

type Machines = (key: string) => CompiledMachine | undefined

/**
 * Returns a function that replays a stored run with `chart` and returns whether the run can be
 * migrated to it. The function does not call models or tools, and it does not change the run. Each
 * chart is compiled only once.
 *
 * @throws AgentStatechartsError `chart_invalid`
 */
export function runClassifier(chart: AgentChart): (stored: StoredRun) => RunVerdict {
  const text = JSON.stringify(chart)
  const machine = compiledMachines(loadProgram(chart))
  // The map key is the text of the chart. A chart that was edited by hand can have the fingerprint
  // of another chart.
  const machinesByChart = new Map<string, Machines>()
  const machinesOf = (before: AgentChart, key: string): Machines => {
    const machines = machinesByChart.get(key) ?? compiledMachines(loadProgram(before))
    machinesByChart.set(key, machines)
    return machines
  }
  return (stored) => {
    const { header, records } = stored
    const textBefore = JSON.stringify(header.chart)
    if (textBefore === text) return { verdict: "current" }
    const machineBefore = machinesOf(header.chart, textBefore)
    const before = new SteppedRun(header, machineBefore)
    const after = new SteppedRun({ ...header, chart }, machine)
    const at = records.findIndex((record) => before.process(record) !== after.process(record))
    for (const record of at === -1 ? [] : records.slice(at + 1)) before.process(record)
    if (!before.run.isOpen()) return { verdict: "ended" }
    if (at === -1 && before.position() === after.position())
      return {
        verdict: "adoptable",
        run: { header: { ...header, chart }, records },
        status: after.run.chart.storedStatus(),
      }
    const replayed = replayWith(stored, { chart, machine, machineBefore })
    const { status, error } = replayed.after
    if (status === "failed" || status === "limit")
      return {
        verdict: "stays",
        message: `the run would end with the status ${status}${error === null ? "" : `: ${error.message}`}`,
      }
    return {
      verdict: "forkable",
      at: at === -1 ? records.length : at,
      lost: lostRecords(replayed),
      obstacle: obstacleOf(header, before),
      run: replayed.run,
      status: statusOf(pastRun({ ...replayed.run, past: replayed.run.records, machine }).run),
    }
  }
}

function obstacleOf({ calledBy, input }: JournalHeader, run: SteppedRun): ForkObstacle | null {
  if (calledBy !== undefined) return "child-run"
  if (run.inFlight.some(({ kind }) => kind === "workflow")) return "called-run"
  return input.session === undefined ? null : "session"
}

/**
 * Returns the status to store for a migrated run. If the run has ended in the replay, returns the
 * status `running`. The run is then resumed, and stores its end itself.
 */
const statusOf = (run: RunExecution): StoredRunStatus =>
  run.isOpen() ? run.chart.storedStatus() : { status: "running", pending: [], at: run.chart.time }

function lostRecords({ unaccepted, unused, dropped }: CompleteReplay): LostRecords {
  return {
    answers: unaccepted.map(({ type, id }) => (id === "" ? type : id)),
    calls: [...unused, ...dropped].map(describeKnownCall),
  }
}

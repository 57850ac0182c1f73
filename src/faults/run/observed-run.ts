import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunResult,
} from "../../machines/contract/run-event.js"
import type { CompiledMachine } from "../../runtime/driver/compiled-machine.js"
import type { JournalHeader, JournalRecord } from "../../runtime/journal/journal.js"
import type { RunInput } from "../../runtime/run/new-run.js"
import type { Fault } from "../contract/fault.js"
import type { Violation } from "../contract/violation.js"
import type { CallEntry, CallLog, LogPosition, ServiceAttempt } from "../environment/call-log.js"
import type { AnswersOfRun } from "../environment/scripted-answers.js"
import type { RegisteredServices, SimulatedHttp } from "../environment/simulated-services.js"
import type { UnsteadyRead } from "../environment/watched-function.js"
import type { ScriptedWait, SentAnswer, ScriptedAnswer } from "./people.js"

/** The chart, input and services that all simulated runs of one workflow share. */
export interface SimulatedRunSetup {
  readonly chart: AgentChart
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly input: RunInput
  readonly http: SimulatedHttp
  readonly people: readonly ScriptedAnswer[]
  /**
   * Loads the services that the program registers. It is called once for each simulated process,
   * because a real process also imports its modules again.
   */
  readonly load: () => Promise<RegisteredServices>
}

/** A fault with the journal record, attempt or answer at which it is injected. */
export interface PlacedFault extends Fault {
  /**
   * Index of the journal record at which the process is killed, from 0. Faults that change the
   * clock also kill the process. The run then resumes with the changed clock.
   */
  readonly record?: number
  readonly attempt?: Pick<ServiceAttempt, "key" | "attempt">
  /** Index of the answer in the script, from 0. */
  readonly answer?: number
}

export type RunLogEvent = EmittedEvent | RunBoundaryEvent

/** The data that a killed process has left on disk: its journal, its call log and its events. */
export interface KilledState {
  readonly records: readonly JournalRecord[]
  readonly entries: readonly CallEntry[]
  /** The events that the process had emitted before it was killed. */
  readonly events: readonly RunLogEvent[]
  /**
   * Time of the kill, in milliseconds since the epoch. Faults that change the clock do not affect
   * it.
   */
  readonly time: number
}

/**
 * The operating system process that executes a run. It stores the journal and the call log of the
 * run on disk, and can kill itself.
 */
export interface StoredProcess {
  /** The data that the killed process has left. null if this is the first process of the run. */
  readonly killed: KilledState | null
  create(header: JournalHeader): Promise<void>
  append(record: JournalRecord): Promise<void>
  /**
   * Writes an entry of the call log to disk synchronously, because the process may be killed
   * afterwards.
   */
  storeEntry(entry: CallEntry): void
  /**
   * Stores the time of the kill and the events of the run for the next process. Then kills this
   * process with SIGKILL. `time` is in milliseconds since the epoch.
   */
  kill(time: number, events: readonly RunLogEvent[]): void
}

/**
 * The state of the run without a fault immediately before a journal record is stored. A run with a
 * fault can start from a checkpoint.
 */
export interface Checkpoint {
  /** Time of the checkpoint, in milliseconds since the epoch. */
  readonly time: number
  /** Number of events that the run had emitted at the checkpoint. */
  readonly events: number
  readonly log: LogPosition
  /**
   * Number of attempts before the checkpoint that called services that ignore idempotency keys.
   * Each of them has taken a scripted response.
   */
  readonly taken: number
  /**
   * Whether another run can start from this checkpoint. False if the program's own code, such as a
   * host function, has run. Also false if a service is still computing a response. The checkpoint
   * does not contain the effects of such work.
   */
  readonly canBegin: boolean
}

/**
 * The first part of the run without a fault. A run with a fault copies it instead of executing it.
 */
export interface SharedPast {
  readonly baseline: ObservedRun
  readonly checkpoint: Checkpoint
  /** Number of journal records before the checkpoint. */
  readonly records: number
}

export interface SimulatedRunOptions {
  /**
   * The operating system process that executes this run and stores its journal on disk. Absent if
   * the run is simulated in memory.
   */
  readonly disk?: StoredProcess
  readonly runId: string
  readonly answers: AnswersOfRun
  readonly fault: PlacedFault | null
  /**
   * The run without a fault, with which this run is compared. null if this run is the run without a
   * fault.
   */
  readonly baseline: ObservedRun | null
  /**
   * The first part of the run without a fault, which this run copies instead of executing it. null
   * if this run starts from the beginning.
   */
  readonly past: SharedPast | null
  /**
   * Whether host functions read changed values, so that nondeterministic functions are detected. If
   * true, their clock is one day ahead, and their random numbers are different.
   */
  readonly isShifted: boolean
  /** Maximum number of journal records. A run with more records is reported as endless. */
  readonly maxRecords: number
}

/** The recorded events, calls and results of one simulated run. */
export interface ObservedRun {
  readonly runId: string
  readonly result: RunResult
  /**
   * The events of the last process. A resumed process emits all earlier events again, so the list
   * is complete.
   */
  readonly events: readonly RunLogEvent[]
  /** One checkpoint for each journal record. Only the first run without a fault has checkpoints. */
  readonly checkpoints: readonly Checkpoint[]
  readonly records: readonly JournalRecord[]
  readonly log: CallLog
  readonly answers: AnswersOfRun
  readonly sentAnswers: readonly SentAnswer[]
  /** The script entries that made the run wait until a request expired. */
  readonly awaited: readonly ScriptedWait[]
  readonly reads: readonly UnsteadyRead[]
  readonly violations: readonly Violation[]
  /**
   * Message about the first call for which the scenario had no response. null if the scenario had a
   * response for every call.
   */
  readonly exhausted: string | null
}

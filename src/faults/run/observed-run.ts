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
import type { AwaitedAnswer, GivenAnswer, ScriptedAnswer } from "./people.js"

/** Everything that the runs of one workflow share. */
export interface SimulatedRunSetup {
  readonly chart: AgentChart
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly input: RunInput
  readonly http: SimulatedHttp
  readonly people: readonly ScriptedAnswer[]
  /** Loads the registered services again, like a new process. */
  readonly load: () => Promise<RegisteredServices>
}

/** A fault and its target in the run. */
export interface PlacedFault extends Fault {
  /** Index of the record at which the process is killed. */
  readonly record?: number
  readonly attempt?: Pick<ServiceAttempt, "key" | "attempt">
  /** Index of the answer in the script. */
  readonly answer?: number
}

export type RunLogEvent = EmittedEvent | RunBoundaryEvent

/** The journal of a killed process on disk, and the events that it emitted. */
export interface LeftBehind {
  readonly records: readonly JournalRecord[]
  readonly entries: readonly CallEntry[]
  /** The events that it emitted. */
  readonly events: readonly RunLogEvent[]
  /** The true time at which it was killed, in milliseconds since the epoch. */
  readonly time: number
}

/** A process of the operating system that executes a run with a journal on disk. */
export interface StoredProcess {
  /** The journal and events of the killed process. null in the first process of the run. */
  readonly past: LeftBehind | null
  create(header: JournalHeader): Promise<void>
  append(record: JournalRecord): Promise<void>
  /** Stores the observations of the services immediately. */
  note(entry: CallEntry): void
  /**
   * Kills this process with SIGKILL. `time` is the true time, and `events` are the events of the
   * run.
   */
  kill(time: number, events: readonly RunLogEvent[]): void
}

/** The state of the run without faults immediately before a record is stored. */
export interface Checkpoint {
  /** True time in milliseconds since the epoch. */
  readonly time: number
  /** Number of events that the run has emitted. */
  readonly events: number
  readonly log: LogPosition
  /** Number of responses that services without idempotency keys have taken from the script. */
  readonly taken: number
  /**
   * Whether another run can begin here. It cannot if a function of the program has started, because
   * a function may change something outside the run.
   */
  readonly canBegin: boolean
}

/** The stored past of the run without faults, from which a run with a fault begins. */
export interface SharedPast {
  readonly baseline: ObservedRun
  readonly checkpoint: Checkpoint
  /** Number of records before the checkpoint. */
  readonly records: number
}

export interface SimulatedRunOptions {
  /** The process of the operating system, if the run has a journal on disk. */
  readonly disk?: StoredProcess
  readonly runId: string
  readonly answers: AnswersOfRun
  readonly fault: PlacedFault | null
  /** The run without faults; null for that run itself. */
  readonly baseline: ObservedRun | null
  /**
   * The past of the run without faults from which the run begins; null for a run from its start.
   */
  readonly past: SharedPast | null
  /** Whether the watched clock is a day ahead and random numbers are mirrored. */
  readonly isShifted: boolean
  /** Maximum number of records. A run with more records counts as endless. */
  readonly maxRecords: number
}

/** The events, calls and results of one run. */
export interface ObservedRun {
  readonly runId: string
  readonly result: RunResult
  /** The events of the last process, which contain those of the past. */
  readonly events: readonly RunLogEvent[]
  /** One checkpoint for each record. Only the run without faults has checkpoints. */
  readonly checkpoints: readonly Checkpoint[]
  readonly records: readonly JournalRecord[]
  readonly log: CallLog
  readonly answers: AnswersOfRun
  readonly given: readonly GivenAnswer[]
  /** The entries of the script that waited for an expiry. */
  readonly awaited: readonly AwaitedAnswer[]
  readonly reads: readonly UnsteadyRead[]
  readonly violations: readonly Violation[]
  /** Why the script is too short; null if it is not. */
  readonly exhausted: string | null
}

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
import type { CallEntry, CallLog, ServiceAttempt } from "../simulation/call-log.js"
import type { AnswersOfRun } from "../simulation/scripted-answers.js"
import type { RegisteredServices, SimulatedHttp } from "../simulation/simulated-services.js"
import type { UnsteadyRead } from "../simulation/watched-function.js"
import type { GivenAnswer, ScriptedAnswer } from "./people.js"

/** Everything that the runs of one workflow share. */
export interface SimulatedRunSetup {
  readonly chart: AgentChart
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly input: RunInput
  readonly http: SimulatedHttp
  readonly people: readonly ScriptedAnswer[]
  /** Loads the registered services again, as a new process does. */
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

/** What a killed process has left: its journal on disk, and what the services noticed of it. */
export interface LeftBehind {
  readonly records: readonly JournalRecord[]
  readonly entries: readonly CallEntry[]
  /** The true time at which it was killed, in milliseconds since the epoch. */
  readonly time: number
}

/** A process of the operating system that executes a run with a journal on disk. */
export interface StoredProcess {
  /** What the killed process has left; null in the first process of the run. */
  readonly past: LeftBehind | null
  create(header: JournalHeader): Promise<void>
  append(record: JournalRecord): Promise<void>
  /** Stores what the services notice, at once. */
  note(entry: CallEntry): void
  /** Kills this process with SIGKILL. `time` is the true time. */
  kill(time: number): void
}

export interface SimulatedRunOptions {
  /** The process of the operating system, if the run has a journal on disk. */
  readonly disk?: StoredProcess
  readonly runId: string
  readonly answers: AnswersOfRun
  readonly fault: PlacedFault | null
  /** The answers that people gave in the fault-free run; null for that run itself. */
  readonly given: readonly GivenAnswer[] | null
  /** Whether the watched clock is a day ahead and random numbers are mirrored. */
  readonly isShifted: boolean
  /** Maximum number of records. A run with more records does not come to rest. */
  readonly maxRecords: number
}

/** What happened in one run. */
export interface ObservedRun {
  readonly runId: string
  readonly result: RunResult
  /** The events of the last process, which contain those of the past. */
  readonly events: readonly (EmittedEvent | RunBoundaryEvent)[]
  readonly records: readonly JournalRecord[]
  readonly log: CallLog
  readonly answers: AnswersOfRun
  readonly given: readonly GivenAnswer[]
  readonly reads: readonly UnsteadyRead[]
  readonly violations: readonly Violation[]
  /** Why the script is too short; null if it is not. */
  readonly exhausted: string | null
}

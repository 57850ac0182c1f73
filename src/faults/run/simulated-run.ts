import { policyGate } from "../../runtime/policies/policy-gate.js"
import { AgentStatechartsError } from "../../errors.js"
import type { JournalHeader } from "../../runtime/journal/journal.js"
import { giveMessage } from "../../runtime/run/give-message.js"
import { newRun } from "../../runtime/run/new-run.js"
import { CheckedControls } from "../../runtime/run/run-controls.js"
import { RunExecution } from "../../runtime/run/run-execution.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { clockJump, type FaultKind, isAbsorbed } from "../contract/fault.js"
import type { Violation } from "../contract/violation.js"
import { CallLog, type ServiceAttempt } from "../environment/call-log.js"
import type { AnswersOfRun } from "../environment/scripted-answers.js"
import { simulatedServices } from "../environment/simulated-services.js"
import type { UnsteadyRead } from "../environment/watched-function.js"
import { checkServices } from "./check-services.js"
import { CheckpointRecorder } from "./checkpoint.js"
import { type KilledProcess, killedProcess, type RunParticipants } from "./killed-process.js"
import type {
  ObservedRun,
  RunLogEvent,
  SimulatedRunOptions,
  SimulatedRunSetup,
} from "./observed-run.js"
import { eventsOf, forgottenEvent, type PastEvents } from "./past-events.js"
import { type SentAnswer, otherAnswer, People } from "./people.js"
import { acceptance, type AnswerInvariant, isRefusal } from "./refusals.js"
import { restProblems } from "./rest-problems.js"
import { repeatPast } from "./repeat-past.js"
import { type JournalWatch, SimulatedJournal } from "./simulated-journal.js"
import { type ProcessOwner, SimulatedProcess } from "./simulated-process.js"

/** Start time of every simulated run, in milliseconds since the epoch. */
const startTime = Date.UTC(2026, 0, 1, 9)

/** Executes one simulated run of a workflow with at most one fault, in one or more processes. */
export class SimulatedRun implements ProcessOwner, JournalWatch, RunParticipants {
  readonly log: CallLog
  readonly answers: AnswersOfRun
  readonly isShifted: boolean
  readonly #setup: SimulatedRunSetup
  readonly #options: SimulatedRunOptions
  readonly #header: JournalHeader
  readonly people: People
  readonly #journal: SimulatedJournal
  readonly #reads: UnsteadyRead[] = []
  readonly #violations: Violation[] = []
  readonly #killed: KilledProcess | null
  readonly #checkpoints = new CheckpointRecorder()
  #exhausted: string | null = null
  #isInjected = false
  /** The second answer to the same request, if the fault injects it. Sent when the run is idle. */
  #second: RunMessage | null = null
  #process: SimulatedProcess
  #execution: RunExecution | null = null

  constructor(setup: SimulatedRunSetup, options: SimulatedRunOptions) {
    this.#setup = setup
    this.#options = options
    const { fault, baseline } = options
    this.log = new CallLog(
      fault !== null && isAbsorbed(fault.kind) ? (baseline?.log ?? null) : null,
    )
    this.answers = options.answers
    this.isShifted = options.isShifted
    this.people = new People(setup.people, options.baseline?.sentAnswers ?? null)
    this.#header = newRun(setup.chart, setup.input, { runId: options.runId, at: startTime })
    this.#killed = killedProcess(options)
    this.#journal = new SimulatedJournal(
      options.fault,
      this.log,
      options.disk ?? null,
      this.#killed?.records ?? null,
      this,
    )
    this.#process = new SimulatedProcess(this, startTime)
  }

  /** Executes the run until it ends, or until the scripted people have no answer for it. */
  async play(): Promise<ObservedRun> {
    await this.#begin()
    while (await this.#step());
    const execution = this.#running()
    for (const why of restProblems(execution, this.#process)) this.#stuck(why)
    const played: ObservedRun = {
      runId: this.#options.runId,
      result: execution.snapshot(),
      events: eventsOf(execution),
      checkpoints: this.#checkpoints.all,
      records: this.#journal.records,
      log: this.log,
      answers: this.answers,
      sentAnswers: this.people.sentAnswers,
      awaited: this.people.awaited,
      reads: this.#reads,
      violations: [...this.log.violations, ...this.#violations],
      exhausted: this.#exhausted,
    }
    this.#process.kill()
    return played
  }

  /** Starts the run from the beginning, from copied journal records, or from a killed process. */
  async #begin(): Promise<void> {
    const { past, disk, fault } = this.#options
    const killed = this.#killed
    if (killed !== null) {
      killed.restore(this)
      // The killed process has loaded the services, so load them once more.
      if (past !== null) await this.#setup.load()
      this.#process = new SimulatedProcess(this, killed.time, clockJump(fault?.kind))
    }
    if (disk != null) this.log.onEntry((entry) => disk.storeEntry(entry))
    const open = (): Promise<RunExecution> => this.#open(killed)
    if (past === null || killed !== null) await open()
    else await repeatPast(past, this.#process, this, open)
  }

  /** Opens a new run in the current process, or resumes the run of the killed process `killed`. */
  async #open(killed: PastEvents | null): Promise<RunExecution> {
    const { chart, machine, http, load } = this.#setup
    const process = this.#process
    const registered = await load()
    const services = simulatedServices(chart, http, registered, process)
    if (this.#options.baseline === null) checkServices(chart, services, registered)
    const past = killed === null ? null : [...this.#journal.records]
    const header = this.#header
    const execution = new RunExecution(
      {
        header,
        machine,
        host: process.host(services, past?.at(-1)?.[3] ?? header.at, registered),
        journal: this.#journal.of(process),
        refusal: null,
        session: null,
        policyGate,
      },
      past !== null,
    )
    this.#execution = execution
    execution.open(past, () => {
      const event = killed === null ? null : forgottenEvent(killed, execution)
      if (event !== null)
        this.#violate(
          "same_past",
          event.agent,
          `the resumed run does not repeat the event ${event.type} of ${event.path}`,
        )
    })
    return execution
  }

  /** Resumes the run in a new process. Its clock starts at `time` plus `ahead` milliseconds. */
  async #restart(time: number, ahead = 0): Promise<void> {
    this.#process.kill()
    const events = this.events()
    this.#process = new SimulatedProcess(this, time, ahead)
    await this.#open({ runId: this.#options.runId, events })
  }

  #running(): RunExecution {
    if (this.#execution === null) throw new AgentStatechartsError("internal", "the run is not open")
    return this.#execution
  }

  /** Continues the run with the next response, timer or answer. Returns false if there is none. */
  async #step(): Promise<boolean> {
    const isSettled = await this.#process.settle()
    const { clock } = this.#process
    if (!isSettled)
      return this.#stuck(
        "a host function does not return, although nothing that it waits for is left",
      )
    if (this.#process.isDead) {
      await this.#restart(this.#process.time, clockJump(this.#options.fault?.kind))
      return true
    }
    if (this.#journal.records.length > this.#options.maxRecords)
      return this.#stuck(`it has ${this.#journal.records.length} records and continues`)
    const execution = this.#running()
    if (!execution.lifecycle.isActive) return this.#giveSecond(execution)
    if (clock.advance(clock.now())) return true
    const expired = execution.pending().find(({ expiresAt = Infinity }) => expiresAt <= clock.now())
    if (expired !== undefined)
      return this.#stuck(`the request "${expired.id}" is open, although it has expired`)
    if (execution.chart.isWorking)
      return clock.advance() || this.#stuck("calls are in flight, but nothing ends them")
    if (this.people.silentUntil !== null && clock.advance(this.people.silentUntil)) return true
    if (this.#giveSecond(execution)) return true
    if (!execution.isOpen()) return this.#stuck("it was ended, but it continues")
    const controls = new CheckedControls(execution)
    const answer = this.people.next(
      controls,
      execution.isBetweenInvocations(),
      this.#journal.records.length,
    )
    if (answer === null) return false
    // If the script waits for the expiry of a request, no answer is sent.
    if (!("until" in answer)) await this.#give(answer, controls)
    return true
  }

  #stuck(why: string): false {
    this.#violate("comes_to_rest", this.#header.chart.id, `the run does not come to rest: ${why}`)
    return false
  }

  async #give(answer: SentAnswer, controls: CheckedControls): Promise<void> {
    const { fault } = this.#options
    const kind = !this.#isInjected && fault?.answer === answer.index ? fault.kind : null
    const { request, message } = answer
    if (kind !== null) this.#isInjected = true
    if (kind === "expiry" || kind === "answer-late") {
      this.people.withhold(answer)
      const expiresAt = request?.expiresAt ?? 0
      if (kind === "expiry") this.people.silentUntil = expiresAt
      else {
        await this.#restart(expiresAt + 1_000)
        this.#refused(
          message,
          "answered_in_time",
          `an answer 1 s after expiresAt of the request "${request?.id}" is accepted`,
        )
      }
      return
    }
    this.people.use(answer)
    if (this.#options.baseline === null) giveMessage(controls, message)
    else this.#giveBound(answer, controls)
    if (kind === "answer-twice") this.#second = this.people.again(answer)
    if (kind === "other-answer") this.#second = otherAnswer(answer)
  }

  /** Sends a scripted answer. Adds a violation if the run rejects the answer. */
  #giveBound({ message, request }: SentAnswer, controls: CheckedControls): void {
    try {
      giveMessage(controls, message)
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.#violate(
        "comes_to_rest",
        request?.agent ?? "",
        `the answer to the request "${request?.id ?? ""}" is refused: ${error.message}`,
      )
    }
  }

  /** Sends the second answer, if a fault injects it. Returns whether the run may continue. */
  #giveSecond(execution: RunExecution): boolean {
    const message = this.#second
    if (message === null) return false
    this.#second = null
    const before = this.#journal.records.length
    const subject = "id" in message ? `the request "${message.id}"` : "the run"
    this.#refused(message, "answered_once", `a second answer to ${subject} is accepted`)
    return this.#journal.records.length > before || execution.isOpen()
  }

  /** Sends a message. Adds a violation if the run does not reject it with a typed error. */
  #refused(message: RunMessage, invariant: AnswerInvariant, otherwise: string): void {
    const violation = acceptance(message, this.#running(), invariant, otherwise)
    if (violation !== null) this.#violations.push(violation)
  }

  #violate(invariant: Violation["invariant"], subject: string, message: string): void {
    this.#violations.push({ invariant, subject, message })
  }

  attempted(attempt: ServiceAttempt): FaultKind | null {
    const { fault } = this.#options
    const isTarget =
      !this.#isInjected &&
      fault?.attempt?.key === attempt.key &&
      fault.attempt.attempt === attempt.attempt
    if (isTarget) this.#isInjected = true
    const kind = isTarget ? fault.kind : null
    this.log.addAttempt(attempt, kind === "status-429")
    return kind
  }

  onStoring(process: SimulatedProcess): void {
    if (this.#options.baseline === null) this.#checkpoints.add(process, this.#running().log, this)
  }

  onAnswerLost(): void {
    this.people.takeBack()
  }

  events(): readonly RunLogEvent[] {
    return eventsOf(this.#running())
  }

  read(read: UnsteadyRead): void {
    this.#reads.push(read)
  }

  exhausted(message: string): void {
    this.#exhausted ??= message
  }
}

import type { Observable } from "rxjs"
import { AgentStatechartsError } from "../errors.js"
import type { Envelope } from "../machines/contract.js"
import type { OrchestrationContext } from "../machines/orchestration-context.js"
import { topTurnInput } from "../machines/orchestration-context.js"
import type { PendingRequest, Reply } from "../machines/pending-request.js"
import type { Announcement, Milestone, RunError, RunEvent, RunResult, RunStatus, Usage } from "../machines/run-event.js"
import type { MachineEvent } from "../machines/step.js"
import type { TurnOutput } from "../machines/turn.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { Driver } from "./driver.js"
import { EventLog } from "./event-log.js"
import type { Host, LeafCall } from "./host.js"
import type { Instance } from "./instance.js"
import type { Journal, JournalHeader, JournalRecord } from "./journal.js"
import { addUsage, brokenBy, noUsage, resultOf, statusOf } from "./outcome.js"
import type { Controlled, RunControls } from "./run-controls.js"
import { controlsOf } from "./run-controls.js"
import { toRun } from "./replies.js"

/** One execution of a chart. */
export interface Run extends RunControls {
  readonly runId: string
  /** Every event of the run in its order, the past first. Completes when the run has finished. */
  readonly events$: Observable<RunEvent>
}

/** What a run is made of. */
export interface RunParts {
  readonly header: JournalHeader
  readonly machine: (key: string) => CompiledMachine | undefined
  readonly host: Host
  readonly journal: Journal
  /** Why the run cannot start, if so. */
  readonly refusal: RunError | null
}

/** Starts a run, or takes one up again by feeding it what its journal holds. */
export function openRun(parts: RunParts, past: readonly JournalRecord[] | null): Run {
  const run = new OpenRun(parts)
  run.open(past)
  return Object.assign(controlsOf(run), { runId: parts.header.runId, events$: run.log.events$ })
}

interface Deferred {
  readonly promise: Promise<RunResult>
  settle(result: RunResult): void
}

function deferred(): Deferred {
  let settle: Deferred["settle"] = () => {}
  const promise = new Promise<RunResult>((resolve) => (settle = resolve))
  return { promise, settle }
}

class OpenRun implements Controlled {
  readonly log: EventLog
  readonly #parts: RunParts
  readonly #driver: Driver
  readonly #requests = new Map<string, { readonly request: PendingRequest; readonly instance: Instance }>()
  readonly #resting: ((result: RunResult) => void)[] = []
  /** Calls that were started while the past was fed; what is left of them is carried out afterwards. */
  #replayed: Map<number, LeafCall> | null = null
  /** Settles when everything that has arrived is stored and fed. */
  #backlog: Promise<void> | null = null
  #waiting = 0
  #status: RunStatus = "running"
  #error: RunError | null = null
  #usage: Usage = noUsage
  #stoppedAs: "completed" | "cancelled" | null = null
  /** The invocation that is under way, or the last one. */
  #invocation: Deferred = deferred()
  #rests = false

  constructor(parts: RunParts) {
    this.#parts = parts
    this.log = new EventLog(parts.header.runId)
    this.#driver = new Driver(parts.machine, parts.header.chart.settings.maxModelCalls, {
      announced: (event, instance) => this.#announced(event, instance),
      started: (call) => this.#startCall(call),
      stoppedInstance: (instance) => this.#forget(instance),
      finished: (output) => this.#finished(output as TurnOutput),
      broke: (error) => this.#broke(error),
    })
  }

  open(past: readonly JournalRecord[] | null): void {
    const { header, refusal, journal } = this.#parts
    const created = past === null ? journal.create(header) : undefined
    this.#replayed = new Map()
    this.#emit({ agent: header.chart.id, path: "", branch: null, type: "run.started", prompt: header.input.prompt, chart: header.chart.fingerprint })
    if (refusal !== null) {
      this.#replayed = null
      this.#close("failed", refusal)
      return
    }
    const { chart, input, runId, at } = header
    this.#driver.start(chart.root, topTurnInput(input, chart, runId, at))
    for (const record of past ?? []) this.#feed(record)
    const goOn = (): void => {
      const calls = this.#replayed ?? new Map<number, LeafCall>()
      this.#replayed = null
      for (const call of [...calls.values()].sort((one, other) => one.n - other.n)) {
        if (this.#driver.awaits(call.n)) this.#driver.carriesOut(call.n, this.#carryOut(call))
      }
      this.#checkRest()
    }
    if (created === undefined) goOn()
    else this.#enqueue(created, goOn)
  }

  get result(): Promise<RunResult> {
    return this.#invocation.promise
  }

  isOpen(): boolean {
    return this.#rests || this.#status === "running" || this.#status === "waiting"
  }

  rests(): boolean {
    return this.#rests
  }

  now = (): number => this.#parts.host.now()

  pending(): readonly PendingRequest[] {
    return [...this.#requests.values()].map(({ request }) => request)
  }

  reply(reply: Reply): void {
    const path = reply.id === toRun ? "" : this.#requests.get(reply.id)?.request.path
    if (path !== undefined) this.#arrive([-1, path, reply as unknown as MachineEvent, reply.at])
  }

  stop(as: "completed" | "cancelled"): void {
    const at = this.now()
    this.#arrive([-1, "", { type: "run.stopped", as, at }, at])
  }

  snapshot(): RunResult {
    const root = this.#driver.root?.context as OrchestrationContext | undefined
    return resultOf(this.#parts.header.runId, this.#status, root ?? null, this.#error, this.#usage)
  }

  rest(): Promise<RunResult> {
    return this.#atRest() ? Promise.resolve(this.snapshot()) : new Promise((resolve) => this.#resting.push(resolve))
  }

  #startCall(call: LeafCall): (() => void) | null {
    if (this.#replayed === null) return this.#carryOut(call)
    this.#replayed.set(call.n, call)
    return null
  }

  #carryOut(call: LeafCall): () => void {
    return this.#parts.host.start(call, (result: Envelope) => {
      this.#arrive(result.ok ? [call.n, true, result.value, result.at] : [call.n, false, result.error, result.at])
    })
  }

  /** Stores a record, then feeds it: in the order of arrival, whatever the journal takes. */
  #arrive(record: JournalRecord): void {
    let stored: void | Promise<void>
    try {
      stored = this.#parts.journal.append(this.#parts.header.runId, record)
    } catch (error) {
      this.#broke(error)
      return
    }
    if (stored === undefined && this.#backlog === null) {
      this.#feed(record)
      this.#checkRest()
    } else this.#enqueue(stored, () => this.#feed(record))
  }

  #enqueue(stored: void | Promise<void>, then: () => void): void {
    this.#waiting++
    const before = this.#backlog
    this.#backlog = (async () => {
      try {
        await before
        await stored
        then()
      } catch (error) {
        this.#broke(error)
      }
      this.#waiting--
      if (this.#waiting === 0) this.#backlog = null
      this.#checkRest()
    })()
  }

  #feed(record: JournalRecord): void {
    if (record[0] !== -1) {
      const [n, ok, value, at] = record as Extract<JournalRecord, readonly [number, boolean, unknown, number]>
      this.#driver.complete(n, (ok ? { ok, value, at } : { ok, error: value, at }) as Envelope)
      return
    }
    const event = record[2] as MachineEvent & { readonly at: number }
    if (event.type === "run.stopped") {
      this.#stoppedAs = event["as"] as "completed" | "cancelled"
      this.#driver.stop(event)
      return
    }
    const receiver = event["id"] === toRun ? this.#driver.root : this.#requests.get(event["id"] as string)?.instance
    if (receiver != null) this.#driver.send(receiver, event)
  }

  #announced(event: Announcement, instance: Instance): void {
    if (event.type === "human.asked" || event.type === "user.awaited") this.#requests.set(event.request.id, { request: event.request, instance })
    else if (event.type === "human.answered" || event.type === "user.said") this.#requests.delete(event.id)
    else if (event.type === "invocation.finished") this.#rests = true
    if (event.type === "user.said" && event.id === toRun) {
      this.#rests = false
      this.#status = "running"
      this.#invocation = deferred()
    }
    this.#usage = addUsage(this.#usage, event)
    this.#emit(event)
  }

  #emit(event: Announcement | Milestone): void {
    this.log.append(this.#driver.at || this.#parts.header.at, event)
  }

  #forget(instance: Instance): void {
    for (const { id } of instance.machine.program.kind.pending(instance.context)) this.#requests.delete(id)
  }

  #finished(output: TurnOutput): void {
    this.#close(statusOf(output, this.#stoppedAs), output.error)
  }

  /** A machine threw or the journal did: the run ends, and what it was is told. */
  #broke(cause: unknown): void {
    const { status, error } = brokenBy(cause)
    this.#close(status, error)
  }

  #close(status: RunStatus, error: RunError | null): void {
    if (!this.isOpen()) return
    this.#rests = false
    this.#status = status
    this.#error = error
    this.#requests.clear()
    this.#parts.host.release?.(this.#parts.header.runId)
    const result = this.snapshot()
    const { chart } = this.#parts.header
    this.#emit({ agent: chart.id, path: "", branch: null, type: "run.finished", result })
    this.log.close()
    this.#invocation.settle(result)
    this.#checkRest()
  }

  #atRest(): boolean {
    return this.#replayed === null && this.#waiting === 0 && (this.#status !== "running" || this.#driver.inFlight === 0)
  }

  /** Nothing in flight: the run has finished, or it waits. A chart that does neither is stuck, which is said. */
  #checkRest(): void {
    if (this.#status === "running" || this.#status === "waiting") {
      if (this.#replayed !== null) return
      if (this.#rests && this.#waiting === 0) {
        this.#status = "completed"
        this.#invocation.settle(this.snapshot())
      } else this.#status = this.#driver.inFlight === 0 && this.#waiting === 0 ? "waiting" : "running"
      if (this.#status === "waiting" && this.#requests.size === 0) {
        this.#broke(new AgentStatechartsError("chart_invalid", "the run is stuck: nothing is in flight and it waits for nobody; a transition is missing in the chart"))
        return
      }
    }
    if (!this.#atRest()) return
    const result = this.snapshot()
    for (const settle of this.#resting.splice(0)) settle(result)
  }
}

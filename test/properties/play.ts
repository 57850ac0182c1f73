import assert from "node:assert/strict"
import { createActor } from "xstate"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunEvent,
  RunResult,
} from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { SimulatedClock } from "../support/simulated-clock.js"
import { simulatedClock } from "../support/simulated-clock.js"
import type { Move } from "./person.js"
import { answerRequest, answersAfter, attempt, inOrder, makeMove } from "./person.js"
import type { Call, Repertoire, World } from "./world.js"
import { worldOf } from "./world.js"

/** Everything that happens during a run: the behavior of services and the actions of people. */
export interface Scene {
  readonly repertoire: Repertoire
  readonly moves: readonly Move[]
  /** The number of user messages to an idle run (adk). */
  readonly talks: number
  /** The number of calls after which a person cancels the run. Default: never. */
  readonly mostCalls?: number
}

export type Told = EmittedEvent | RunBoundaryEvent

/** A run from its start, or from the position at which it was resumed, to its end. */
export interface Played {
  readonly result: RunResult
  readonly events: readonly Told[]
  /** The outcomes of all answers and moves, in order. */
  readonly taken: readonly string[]
  readonly calls: readonly Call[]
  /** The numbers of calls, host functions and timers that are still active after the run. */
  readonly left: { readonly calls: number; readonly hosts: number; readonly timers: number }
  /** Whether people ended the run, because it would never have ended by itself. */
  readonly isTired: boolean
}

export interface PlayedRun extends Played {
  readonly events: readonly RunEvent[]
  readonly stored: StoredRun
}

const beginning = 1_000_000
const mostAnswers = 120

/** The run has not ended, but nothing happens and no request is pending. */
class Hangs extends Error {}

/** Performs the actions of people during one run, by a clock. */
class People {
  readonly taken: string[] = []
  isTired = false
  readonly #timers = new Set<() => void>()
  readonly #asked = new Set<string>()
  #answers = 0
  #talks = 0

  readonly #scene: Scene
  readonly #clock: SimulatedClock
  readonly #controls: () => RunControls

  constructor(scene: Scene, clock: SimulatedClock, controls: () => RunControls) {
    this.#scene = scene
    this.#clock = clock
    this.#controls = controls
  }

  /** The number of timers of people, which are not timers of the run. */
  get waiting(): number {
    return this.#timers.size
  }

  #at(time: number, act: () => void): void {
    const stop = this.#clock.wakeAt(time, () => {
      this.#timers.delete(stop)
      act()
    })
    this.#timers.add(stop)
  }

  /** Cancels the run after a number of calls. */
  watch(calls: number): void {
    if (calls === this.#scene.mostCalls)
      this.#at(this.#clock.now(), () => attempt(this.#controls(), () => this.#controls().cancel()))
  }

  /** Schedules all moves after a time. */
  plan(since: number): void {
    for (const move of this.#scene.moves) {
      const at = beginning + move.after
      if (at > since)
        this.#at(at, () => this.taken.push(`${move.what}: ${makeMove(this.#controls(), move)}`))
    }
  }

  hear(event: Told, at: number): void {
    if (event.type === "user.said" && event.id === "") this.#talks++
    if (event.type !== "human.asked" && event.type !== "user.awaited") return
    const { request } = event
    const after = answersAfter(request, this.#scene.repertoire.seed)
    if (after === null || this.#asked.has(request.id)) return
    this.#asked.add(request.id)
    this.#at(at + after, () => {
      if (
        this.#controls()
          .pending()
          .some(({ id }) => id === request.id)
      )
        this.answer(request)
    })
  }

  answer(request: PendingRequest): void {
    assert.ok(
      this.#controls()
        .pending()
        .some(({ id }) => id === request.id),
      "what is asked is open",
    )
    if (++this.#answers > mostAnswers) {
      // A graph continues after the end of its conversations, and may ask again.
      const ends = !this.isTired
      this.isTired = true
      attempt(this.#controls(), () => (ends ? this.#controls().end() : this.#controls().cancel()))
      return
    }
    const taken = answerRequest(this.#controls(), request, this.#scene.repertoire.seed)
    const { expiresAt = Number.POSITIVE_INFINITY } = request
    assert.ok(
      !taken.includes("request_expired") || expiresAt <= this.#clock.now(),
      `the request ${request.id} is refused before it expires`,
    )
    this.taken.push(...taken.map((what) => `${request.kind} ${request.id}: ${what}`))
  }

  /** Answers pending requests until the run accepts no further messages. */
  async bringToEnd(): Promise<RunResult> {
    const controls = this.#controls()
    for (;;) {
      await this.#clock.runUntilIdle()
      const { status } = controls.snapshot()
      if (status === "running") throw new Hangs("nothing moves, and yet the run is not at rest")
      if (status === "waiting") {
        const [request] = inOrder(controls.pending())
        if (request === undefined) throw new Hangs("the run waits for nobody")
        this.answer(request)
      } else {
        const talks = this.#talks < this.#scene.talks
        if (
          attempt(controls, () => (talks ? controls.say("and now?") : controls.end())) !== "taken"
        )
          break
      }
    }
    return controls.snapshot()
  }
}

const leftBehind = (world: World, clock: SimulatedClock, people: People): Played["left"] => {
  return { ...world.settle(), timers: clock.waiting - people.waiting }
}

/** Plays a chart with a runner, from its start or from the end of a journal. */
export async function playRun(
  chart: AgentChart,
  scene: Scene,
  past: StoredRun | null = null,
  world: World = worldOf(scene.repertoire),
  downFor = 0,
): Promise<PlayedRun> {
  const clock = simulatedClock(
    past === null ? beginning : (past.records.at(-1)?.[3] ?? past.header.at) + downFor,
  )
  const journal = memoryJournal(
    past === null ? {} : { r: JSON.parse(JSON.stringify(past)) as StoredRun },
  )
  const runner = createRunner({
    ...world.services(clock, () => people.watch(world.calls.length)),
    clock,
    journal,
  })
  const events: RunEvent[] = []
  let isOver = false
  const listen = (run: ReturnType<typeof runner.start>): void => {
    run.events$.subscribe({
      next: (event) => (events.push(event), people.hear(event, event.at)),
      complete: () => (isOver = true),
    })
  }
  let run: ReturnType<typeof runner.start> | null = null
  const people: People = new People(scene, clock, () => run as NonNullable<typeof run>)
  if (past === null) {
    run = runner.start(chart, { runId: "r" })
    people.plan(beginning - 1)
    listen(run)
  } else {
    run = await runner.resume("r", {
      before: (resumed) => {
        run = resumed
        people.plan(clock.now())
        listen(resumed)
      },
    })
  }
  const result = await people.bringToEnd()
  assert.ok(isOver, "the stream of a run that takes nothing more is not complete")
  // In the adk dialect, `run.result` is the result of the last invocation, even if the run changed afterwards.
  const settled = await run.result
  if (chart.dialect === "graph-compose") assert.deepEqual(settled, result)
  const stored = journal.toJSON()["r"]
  assert.ok(stored !== undefined)
  return {
    result,
    events,
    taken: people.taken,
    calls: world.calls,
    left: leftBehind(world, clock, people),
    stored,
    isTired: people.isTired,
  }
}

/** Plays a chart as an XState actor. */
export async function playActor(chart: AgentChart, scene: Scene): Promise<Played> {
  const clock = simulatedClock(beginning)
  const world = worldOf(scene.repertoire)
  const events: Told[] = []
  const people: People = new People(scene, clock, () => controls)
  const machine = toMachine(chart, {
    ...world.services(clock, () => people.watch(world.calls.length)),
    clock,
    onEvent: (event) => {
      events.push(event)
      people.hear(event, clock.now())
    },
  })
  const actor = createActor(machine, { input: { runId: "r" } })
  actor.subscribe({ error: () => {} })
  const controls = controlActor(actor)
  people.plan(beginning - 1)
  actor.start()
  const result = await people.bringToEnd()
  return {
    result,
    events,
    taken: people.taken,
    calls: world.calls,
    left: leftBehind(world, clock, people),
    isTired: people.isTired,
  }
}

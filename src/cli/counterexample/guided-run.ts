import type { ScriptedAct } from "../../analysis/index.js"
import type { Act } from "../../analysis/index.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { createRunner } from "../../runtime/index.js"
import type { Run } from "../../runtime/index.js"
import type { AnswerEntry, SubmittedAnswer } from "../answers/answer-script.js"
import { submitAnswer } from "../answers/answer-script.js"
import { actAnswers, isAbout, isPlain, repeatingResponse, usualResponse } from "./act-matching.js"
import { modelEntry, stubStep, toolEntry, defaultStep } from "./act-answers.js"
import { answerTo } from "./answer-request.js"
import type { GuidedRunOptions } from "./guided-run-options.js"
import type { DirectedServices, Waiting } from "./directed-services.js"
import { directedServices } from "./directed-services.js"
import type { ManualClock } from "./manual-clock.js"
import { manualClock } from "./manual-clock.js"
import type { PlayLog } from "./play-log.js"
import { isIdle, settleRun, startTime } from "./settle-run.js"
import { StartedAgents } from "./started-agents.js"
import { loadStubParts } from "./stub-module.js"
import type { StubStep } from "./stub-module.js"

/** The events, calls and answers of a simulated run that followed a counterexample. */
export interface GuidedRun extends PlayLog {
  readonly events: readonly RunEvent[]
  /** Whether the run has received all answers of the counterexample. */
  readonly isComplete: boolean
  /** Total simulated time that the run waited for timeouts, in milliseconds. */
  readonly late: number
  /**
   * Reasons why a replay in real time is not possible, such as a request that expires after a day.
   */
  readonly obstacles: readonly string[]
}

/**
 * Maximum number of default answers after the last step of the counterexample. Later calls fail, so
 * that the run ends.
 */
const maxAfterwards = 12

/** Maximum number of answers in one simulated run. At this number, the run is cancelled. */
const maxAnswers = 400

/**
 * Maximum time that a replay in real time may wait for a deadline, in milliseconds. Runs that need
 * more time are not replayed.
 */
const longestWait = 10_000

/**
 * Runs a chart in this process so that it follows a counterexample (the steps of a run that
 * violates a policy). Each call of the run waits until its answer is the next step. Calls that are
 * not part of the counterexample receive default answers.
 */
export async function runGuided(options: GuidedRunOptions): Promise<GuidedRun> {
  const { chart, prompt, script } = options
  const directed = directedServices(options, await loadStubParts())
  const clock = manualClock(startTime)
  const runner = createRunner({ ...directed.services, responseCache: null, clock })
  const events: RunEvent[] = []
  try {
    const run = runner.start(chart, { runId: "counterexample", prompt, state: script.state })
    const subscription = run.events$.subscribe((event) => events.push(event))
    const stage = new Stage(options, directed, run, clock, events)
    await stage.play()
    const { isComplete, answers, obstacles } = stage
    if (!stage.hasEnded) run.cancel()
    subscription.unsubscribe()
    const { calls, late } = directed
    return { events, calls, answers, isComplete, obstacles, late }
  } finally {
    await runner.close()
  }
}

class Stage {
  readonly answers: AnswerEntry[] = []
  readonly obstacles: string[] = []
  readonly #options: GuidedRunOptions
  readonly #directed: DirectedServices
  readonly #run: Run
  readonly #clock: ManualClock
  readonly #events: readonly RunEvent[]
  /** Steps of the counterexample that the run has not performed yet, in order. */
  readonly #acts: ScriptedAct[]
  readonly #started: StartedAgents

  constructor(
    options: GuidedRunOptions,
    directed: DirectedServices,
    run: Run,
    clock: ManualClock,
    events: readonly RunEvent[],
  ) {
    this.#options = options
    this.#directed = directed
    this.#run = run
    this.#clock = clock
    this.#events = events
    this.#started = new StartedAgents(events)
    this.#acts = options.script.acts.filter((act) => !isPlain(act))
  }

  get isComplete(): boolean {
    return this.#acts.length === 0
  }

  get #othersWait(): boolean {
    return this.#options.othersWait === true && !this.isComplete
  }

  get hasEnded(): boolean {
    return this.#events.at(-1)?.type === "run.finished"
  }

  async play(): Promise<void> {
    let afterwards = 0
    for (let count = 0; count < maxAnswers; count++) {
      await settleRun(this.#events, this.#directed.calls)
      if (this.hasEnded) return
      const [next] = this.#acts
      const most = this.#options.afterwards === "repeat" ? maxAnswers : maxAfterwards * 3
      if (next === undefined && ++afterwards > most) return
      const isDone = next === undefined ? this.#answerAny(afterwards) : this.#perform(next)
      if (!isDone) return
    }
  }

  /**
   * Performs a step of the counterexample, for example by sending a model response to the run. If
   * the run has not reached the step yet, answers another call instead. Returns false if no call
   * can be answered.
   */
  #perform(next: ScriptedAct): boolean {
    const { act } = next
    if (act.by === "person") return this.#performPerson(act)
    if (act.by === "clock") return this.#performClock(act)
    const waiting = [...this.#directed.waiting].find((one) => actAnswers(act, one))
    if (waiting === undefined) return this.#answerOther()
    if (!this.#started.includeAllBefore(next)) {
      const other = this.#otherRequest()
      if (other !== undefined) return this.#answerAsUsual(other)
    }
    this.#acts.shift()
    waiting.answerWith(this.#answerFor(next, waiting))
    return true
  }

  #performPerson(act: Extract<Act, { by: "person" }>): boolean {
    // The command submits an answer when no call is in flight.
    if (this.#directed.waiting.size > 0) return this.#answerOther()
    if (act.does === "stop" && (isIdle(this.#events) || this.#run.pending().length > 0)) {
      this.#acts.shift()
      return this.#submit({ cancel: true })
    }
    if (act.does === "message" && isIdle(this.#events)) {
      this.#acts.shift()
      return this.#submit({ user: "again" })
    }
    const request = this.#run.pending().find((one) => isAbout(one, act))
    if (request === undefined || act.agent === null) return this.#answerOther()
    const value = this.#acts[0]?.value
    this.#acts.shift()
    return this.#submit(this.#answerTo(request, act.does, value))
  }

  #performClock({ agent, ends }: Extract<Act, { by: "clock" }>): boolean {
    if (ends !== "request") {
      const before = this.#events.length
      const from = this.#clock.now()
      this.#acts.shift()
      if (!this.#clock.advance()) return false
      const waited = this.#clock.now() - from
      if (waited > longestWait) this.obstacles.push(`${agent ?? "the run"} ends after ${waited} ms`)
      this.#directed.late += waited
      return this.#events.length >= before
    }
    const request = this.#run
      .pending()
      .find((one) => one.agent === agent && one.expiresAt !== undefined)
    if (request?.expiresAt === undefined || this.#directed.waiting.size > 0)
      return this.#answerOther()
    const waits = request.expiresAt - this.#clock.now()
    if (waits > longestWait)
      this.obstacles.push(`the request of ${request.agent} expires after ${waits} ms`)
    this.#acts.shift()
    this.answers.push({ expire: true, id: request.id })
    this.#clock.advanceTo(request.expiresAt)
    return true
  }

  /**
   * Answers a call or request that the next step of the counterexample does not answer. Returns
   * false if no answer, user message or timer can continue the run.
   */
  #answerOther(): boolean {
    const other = this.#otherRequest()
    if (other !== undefined) return this.#answerAsUsual(other)
    const waiting = [...this.#directed.waiting]
    const later = (one: Waiting): number => this.#acts.findIndex(({ act }) => actAnswers(act, one))
    const [first] = waiting.toSorted((one, two) => later(one) - later(two))
    if (first !== undefined) {
      const [act] = this.#acts.splice(later(first), 1)
      first.answerWith(this.#answerFor(act as ScriptedAct, first))
      return true
    }
    return this.#answerPerson()
  }

  /**
   * Returns an unanswered call that no later step of the counterexample answers. Such a call
   * receives a default answer.
   */
  #otherRequest(): Waiting | undefined {
    return [...this.#directed.waiting].find(
      (one) => !this.#acts.some(({ act }) => actAnswers(act, one)),
    )
  }

  #answerAsUsual(one: Waiting): boolean {
    one.answerWith(this.#usualAnswer(one))
    return true
  }

  #answerAny(count: number): boolean {
    const [waiting] = this.#directed.waiting
    if (waiting === undefined) return this.#answerPerson()
    const { afterwards = "answer" } = this.#options
    const isService = waiting.kind === "model" || waiting.kind === "tool"
    if (afterwards === "repeat" && waiting.kind === "model")
      waiting.answerWith(this.#response(repeatingResponse(waiting.agent), waiting))
    // After too many default answers, calls fail, so that the run ends.
    else if (isService && (afterwards === "fail" || count > maxAfterwards))
      waiting.answerWith({ httpStatus: 400 })
    else waiting.answerWith(this.#usualAnswer(waiting))
    return true
  }

  #answerPerson(): boolean {
    const [request] = this.#run.pending()
    if (request !== undefined) return this.#submit(this.#answerTo(request, null, undefined))
    if (isIdle(this.#events)) return this.#acts.length > 0 && this.#submit({ user: "again" })
    // The run waits for a timer, such as the pause before another attempt.
    return this.#clock.advance()
  }

  #answerTo(...[request, does, value]: Parameters<typeof answerTo>): SubmittedAnswer {
    return answerTo(request, does, this.#options.answerOf?.(request) ?? value)
  }

  #submit(answer: SubmittedAnswer): boolean {
    this.answers.push(answer)
    submitAnswer(answer, this.#run)
    return true
  }

  #answerFor(act: ScriptedAct, one: Waiting): JsonObject | StubStep {
    switch (one.kind) {
      case "model":
        return this.#response(act, one)
      case "tool":
        return toolEntry(act)
      default:
        return stubStep(act, one)
    }
  }

  #response(act: ScriptedAct, { agent, model }: Waiting): JsonObject {
    const { chart, usageOf } = this.#options
    const entry = modelEntry(act, chart)
    const usage = usageOf(agent, model)
    const fails = act.act.by === "model" && act.act.fails
    return usage === null || fails ? entry : { ...entry, usage }
  }

  #usualAnswer(one: Waiting): JsonObject | StubStep {
    switch (one.kind) {
      case "model":
        return this.#response(usualResponse(one.agent, this.#othersWait), one)
      case "tool":
        return { json: { done: true } }
      default:
        return one.hook === "policy"
          ? { return: { outcome: this.#options.decisionOf(one.id, one.tool ?? "") } }
          : defaultStep(one)
    }
  }
}

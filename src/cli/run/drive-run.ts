import type { RunEvent, RunResult, Usage } from "../../machines/contract/run-event.js"
import { chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { usesMemory } from "../../serving/uses-memory.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Inspect } from "../../runtime/events/inspect-run.js"
import { eventsSoFar } from "../../runtime/run/events-so-far.js"
import type { Journal } from "../../runtime/journal/journal.js"
import type { Runner } from "../../runtime/runner/runner.js"
import type { Run } from "../../runtime/run/run.js"
import type { Terminal } from "../terminal/terminal.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import { acceptsMessage, takeAnswer } from "../answers/answer-script.js"
import type { OpenStores } from "./open-journal.js"
import type { RunnerPolicies } from "../../serving/run-services.js"
import type { OpenServices } from "../services/open-services.js"
import type { ProgressView } from "../progress/progress-view.js"
import { skipAnsweredCalls } from "../services/skip-answered-calls.js"

/** Options of {@link driveRun}, which executes a run and submits answers to it. */
export interface DriveRunOptions {
  readonly chart: AgentChart
  /**
   * Starts or resumes the run. Must pass the callback `before` to the runner, which calls it with
   * the run. At this time, the run has not made any call yet.
   */
  readonly open: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>
  /**
   * Journal that stores the run. If it is null, the run is not stored, and it is cancelled when the
   * process stops.
   */
  readonly store: OpenStores | null
  readonly services: OpenServices
  readonly policies: RunnerPolicies
  readonly view: ProgressView
  /** Answer to submit when the run is idle for the first time. The answers in `answers` follow. */
  readonly firstAnswer?: AnswerEntry
  /** Answers to submit in order, one each time the run is idle. */
  readonly answers: readonly AnswerEntry[]
  /**
   * Whether to prompt the user at the terminal to answer requests of the run, after all `answers`
   * are used.
   */
  readonly askUser: boolean
  /**
   * Whether to cancel the resumed run before it makes another call. Used to cancel a stored run.
   */
  readonly cancel?: boolean
  readonly inspect?: Inspect
  /** Journal to use if `store` is null, for example a journal in memory. */
  readonly journal?: Journal
}

/** Result of executing a run until it ends, needs an answer, or is interrupted. */
export interface DriveRunResult {
  readonly result: RunResult
  readonly pending: ReturnType<Run["pending"]>
  /** Answers that were not submitted, because no request needed them. */
  readonly unused: readonly AnswerEntry[]
  readonly elapsedMs: number
  /** Whether this process was interrupted before the run ended. The run can be resumed later. */
  readonly wasInterrupted: boolean
  /** Whether the run has violated a policy. */
  readonly hasPolicyViolation: boolean
  /** Token usage of each model in the run. Null if each agent called only its own model. */
  readonly models: Readonly<Record<string, Usage>> | null
}

/** Executes a run until it ends, or until it needs an answer that is not available. */
export async function driveRun(
  options: DriveRunOptions,
  terminal: Terminal,
): Promise<DriveRunResult> {
  const { view, askUser, store, services, inspect } = options
  const journal = store?.journal ?? options.journal
  const startedAt = Date.now()
  const charts = chartsWithCalls(options.chart, services.calls.workflows)
  const { createRunner, usageByModel } = await import("../../runtime/index.js")
  const runner = createRunner({
    ...(store !== null && { responseCache: store.responseCache }),
    ...services.calls,
    ...options.policies,
    ...(journal !== undefined && { journal }),
    ...(store !== null && { sessions: store.sessions }),
    ...(store !== null && usesMemory(charts) && { memory: store.memory }),
    ...(inspect !== undefined && { inspect }),
  })
  let isInterrupted = false
  let past: readonly RunEvent[] = []
  const run = await options.open(runner, (resumed) => {
    past = eventsSoFar(resumed)
    for (const event of past) view.replayEvent?.(event)
    if (services.scripted !== null) skipAnsweredCalls(past, services.scripted)
    if (options.cancel === true) resumed.cancel()
  })
  const stop = (): void => {
    isInterrupted = true
    if (store !== null) void runner.close()
    else if (isOpen(run.snapshot())) run.cancel()
  }
  const release = terminal.onInterrupt(() => {
    view.pause()
    terminal.printError(
      `${store === null ? "Cancelling the run" : "Stopping. The run can be resumed"}. Press Ctrl-C again to exit immediately.`,
    )
    stop()
  })
  // The view has received the past events already.
  let eventsToSkip = past.length
  // Between two invocations (ADK), a conversation is idle and accepts another user message.
  let isIdle = false
  let hasPolicyViolation = false
  let usesOthers = false
  const events = run.events$.subscribe((event) => {
    if (event.type === "policy.violated") hasPolicyViolation = true
    if (event.type === "model.called" && event.model !== undefined) usesOthers = true
    if (event.type === "invocation.finished") isIdle = true
    else if (event.type === "user.said" || event.type === "run.finished") isIdle = false
    if (eventsToSkip > 0) eventsToSkip--
    else view.show(event)
  })
  const answers = [...options.answers]
  try {
    let result = await run.whenSettled()
    if (options.firstAnswer !== undefined && !isInterrupted) {
      await takeAnswer(options.firstAnswer, run)
      result = await run.whenSettled()
    }
    while ((result.status === "waiting" || isIdle) && !isInterrupted) {
      const [first] = answers
      const isFitting = !isIdle || (first !== undefined && acceptsMessage(first))
      const next = isFitting ? answers.shift() : undefined
      if (next !== undefined) await takeAnswer(next, run)
      else if (isIdle && store === null) run.end()
      // A stored run can receive a message later from any process.
      else if (isIdle) break
      else if (askUser) {
        view.pause()
        const { askPerson } = await import("./ask-person.js")
        await askPerson(run, stop)
      } else break
      result = await run.whenSettled()
    }
    return {
      result,
      pending: run.pending(),
      unused: answers,
      elapsedMs: Date.now() - startedAt,
      wasInterrupted: isInterrupted && isOpen(result),
      hasPolicyViolation,
      models: usesOthers ? usageByModel(eventsSoFar(run), options.chart) : null,
    }
  } finally {
    view.close()
    events.unsubscribe()
    release()
    if (store === null) stop()
    await runner.close()
  }
}

const isOpen = ({ status }: RunResult): boolean => status === "running" || status === "waiting"

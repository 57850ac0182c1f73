import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { Inspect } from "../../runtime/events/inspect-run.js"
import { eventsSoFar } from "../../runtime/run/events-so-far.js"
import type { Runner } from "../../runtime/runner/runner.js"
import type { Run } from "../../runtime/run/run.js"
import type { Terminal } from "../terminal/terminal.js"
import type { AnswerEntry } from "./answer-script.js"
import { giveAnswer } from "./answer-script.js"
import { onInterrupt } from "./interrupts.js"
import type { OpenJournal } from "./open-journal.js"
import type { OpenServices } from "../services/open-services.js"
import type { ProgressView } from "../progress/progress-view.js"
import { skipAnsweredCalls } from "../services/skip-answered-calls.js"

export interface DriveRunOptions {
  /** Starts or resumes the run. `before` is called before any calls are made. */
  readonly open: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>
  /** null: the run is not stored and is cancelled when the process leaves it. */
  readonly kept: OpenJournal | null
  readonly services: OpenServices
  readonly view: ProgressView
  /** Answer to give when the run is idle for the first time, whatever its status. */
  readonly first?: AnswerEntry
  /** Answers to give one at a time whenever the run waits. */
  readonly answers: readonly AnswerEntry[]
  /** Whether to ask the user when `answers` is used up. */
  readonly asks: boolean
  /** Whether to cancel the run before it makes a call. */
  readonly cancels?: boolean
  readonly inspect?: Inspect
}

export interface DriveRunResult {
  readonly result: RunResult
  readonly pending: ReturnType<Run["pending"]>
  /** Answers that no request asked for. */
  readonly unused: readonly AnswerEntry[]
  readonly elapsedMs: number
  /** Whether this process was interrupted before the run ended. The run can be resumed. */
  readonly wasInterrupted: boolean
}

/** Executes a run until it ends, or until it waits for an answer that is not available. */
export async function driveRun(
  performance: DriveRunOptions,
  terminal: Terminal,
): Promise<DriveRunResult> {
  const { view, asks, kept, services, inspect } = performance
  const startedAt = Date.now()
  const { createRunner } = await import("../../runtime/index.js")
  const runner = createRunner({
    ...services.calls,
    ...(kept === null ? {} : { journal: kept.journal }),
    ...(inspect === undefined ? {} : { inspect }),
  })
  let left = false
  let past: readonly RunEvent[] = []
  const run = await performance.open(runner, (resumed) => {
    past = eventsSoFar(resumed)
    for (const event of past) view.past?.(event)
    if (services.scripted !== null) skipAnsweredCalls(past, services.scripted)
    if (performance.cancels === true) resumed.cancel()
  })
  const leave = (): void => {
    left = true
    if (kept !== null) void runner.close()
    else if (isOpen(run.snapshot())) run.cancel()
  }
  const release = onInterrupt(() => {
    view.pause()
    terminal.complain(
      `${kept === null ? "Cancelling the run" : "Stopping. The run can be resumed"}. Press Ctrl-C again to exit immediately.`,
    )
    leave()
  })
  let known = past.length
  // Between two invocations (ADK) a run is idle and accepts another message.
  let rests = false
  const events = run.events$.subscribe((event) => {
    if (event.type === "invocation.finished") rests = true
    else if (event.type === "user.said" || event.type === "run.finished") rests = false
    if (known > 0) known--
    else view.show(event)
  })
  const answers = [...performance.answers]
  try {
    let result = await run.whenSettled()
    if (performance.first !== undefined && !left) {
      giveAnswer(performance.first, run)
      result = await run.whenSettled()
    }
    while ((result.status === "waiting" || rests) && !left) {
      const next = rests && !acceptsMessage(answers[0]) ? undefined : answers.shift()
      if (next !== undefined) giveAnswer(next, run)
      else if (rests && kept === null) run.end()
      // A stored run can receive a message later from any process.
      else if (rests) break
      else if (asks) {
        view.pause()
        const { askPerson } = await import("./ask-person.js")
        await askPerson(run, leave)
      } else break
      result = await run.whenSettled()
    }
    return {
      result,
      pending: run.pending(),
      unused: answers,
      elapsedMs: Date.now() - startedAt,
      wasInterrupted: left && isOpen(result),
    }
  } finally {
    view.close()
    events.unsubscribe()
    release()
    if (kept === null) leave()
    await runner.close()
  }
}

/**
 * Returns whether an idle conversation accepts this answer: a message starts the next invocation.
 */
const acceptsMessage = (answer: AnswerEntry | undefined): boolean =>
  answer !== undefined && ("user" in answer || "end" in answer || "cancel" in answer)

const isOpen = ({ status }: RunResult): boolean => status === "running" || status === "waiting"

import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { Inspect } from "../../runtime/events/inspect-run.js"
import { eventsSoFar } from "../../runtime/run/events-so-far.js"
import type { Runner } from "../../runtime/runner/runner.js"
import type { Run } from "../../runtime/run/run.js"
import type { Terminal } from "../terminal.js"
import type { ScriptedAnswer } from "./answer-script.js"
import { giveAnswer } from "./answer-script.js"
import { onInterrupt } from "./interrupts.js"
import type { OpenJournal } from "./open-journal.js"
import type { OpenServices } from "./open-services.js"
import type { RunView } from "./run-view.js"
import { skipAnsweredCalls } from "./skip-answered-calls.js"

export interface DriveRunOptions {
  /** Starts the run, or takes it up; `before` is for what comes before calls are made again. */
  readonly open: (runner: Runner, before: (run: Run) => void) => Run | Promise<Run>
  /** null: the run is kept nowhere, and cancelled when it is left. */
  readonly kept: OpenJournal | null
  readonly services: OpenServices
  readonly view: RunView
  /** Given when the run rests for the first time, however it stands then. */
  readonly first?: ScriptedAnswer
  /** Given one at a time, each when the run waits. */
  readonly answers: readonly ScriptedAnswer[]
  /** Whether a person is asked when they are used up. */
  readonly asks: boolean
  /** Stops the run before it makes a call. */
  readonly cancels?: boolean
  readonly inspect?: Inspect
}

export interface DriveRunResult {
  readonly result: RunResult
  readonly pending: ReturnType<Run["pending"]>
  /** Answers that nobody asked for. */
  readonly unused: readonly ScriptedAnswer[]
  readonly elapsedMs: number
  /** Whether somebody has stopped this process while the run was not over; it can be resumed. */
  readonly wasInterrupted: boolean
}

/** Carries a run on until it has finished, or until it waits for somebody who is not there. */
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
      `${kept === null ? "Cancelling" : "Stopping; the run can be resumed"}. Press Ctrl-C again to stop at once.`,
    )
    leave()
  })
  let known = past.length
  // Between two invocations (adk) a run rests, and could be told more.
  let rests = false
  const events = run.events$.subscribe((event) => {
    if (event.type === "invocation.finished") rests = true
    else if (event.type === "user.said" || event.type === "run.finished") rests = false
    if (known > 0) known--
    else view.show(event)
  })
  const answers = [...performance.answers]
  try {
    let result = await run.rest()
    if (performance.first !== undefined && !left) {
      giveAnswer(performance.first, run)
      result = await run.rest()
    }
    while ((result.status === "waiting" || rests) && !left) {
      const next = rests && !acceptsMessage(answers[0]) ? undefined : answers.shift()
      if (next !== undefined) giveAnswer(next, run)
      else if (rests && kept === null) run.end()
      // One that is kept may be told more at any time.
      else if (rests) break
      else if (asks) {
        view.pause()
        const { askPerson } = await import("./ask-person.js")
        await askPerson(run, leave)
      } else break
      result = await run.rest()
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

/** Whether a run that rests takes this answer: a message begins the next invocation. */
const acceptsMessage = (answer: ScriptedAnswer | undefined): boolean =>
  answer !== undefined && ("user" in answer || "end" in answer || "cancel" in answer)

const isOpen = ({ status }: RunResult): boolean => status === "running" || status === "waiting"

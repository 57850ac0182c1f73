import type { AgentChart } from "../../machines/agent-chart.js"
import type { RunResult } from "../../machines/run-event.js"
import type { StartOptions } from "../../runtime/runner.js"
import type { Terminal } from "../terminal.js"
import type { ScriptedAnswer } from "./answer-script.js"
import { giveAnswer } from "./answer-script.js"
import { onInterrupt } from "./interrupts.js"
import type { OpenServices } from "./open-services.js"
import type { RunView } from "./run-view.js"

export interface Performance {
  readonly chart: AgentChart
  readonly start: StartOptions
  readonly services: OpenServices
  readonly view: RunView
  /** Given one at a time, each when the run rests. */
  readonly answers: readonly ScriptedAnswer[]
  /** Whether a person is asked when they are used up. */
  readonly asks: boolean
}

export interface Performed {
  readonly result: RunResult
  readonly pending: ReturnType<Awaited<ReturnType<typeof startRun>>["pending"]>
  /** Answers that nobody asked for. */
  readonly unused: readonly ScriptedAnswer[]
  readonly elapsedMs: number
}

/** Runs a chart until it has finished, or until it waits for somebody who is not there. */
export async function performRun(performance: Performance, terminal: Terminal): Promise<Performed> {
  const { view, asks } = performance
  const startedAt = Date.now()
  const run = await startRun(performance)
  const cancel = (): void => {
    if (isOpen(run.snapshot())) run.cancel()
  }
  const release = onInterrupt(() => {
    view.pause()
    terminal.complain("Cancelling. Press Ctrl-C again to stop at once.")
    cancel()
  })
  // Between two invocations (adk) a run rests, and could be told more.
  let rests = false
  const events = run.events$.subscribe((event) => {
    if (event.type === "invocation.finished") rests = true
    else if (event.type === "user.said" || event.type === "run.finished") rests = false
    view.show(event)
  })
  const answers = [...performance.answers]
  try {
    let result = await run.rest()
    while (result.status === "waiting" || rests) {
      const next = rests && !mayBeTold(answers[0]) ? undefined : answers.shift()
      if (next !== undefined) giveAnswer(next, run)
      else if (rests) run.end()
      else if (asks) {
        view.pause()
        const { askPerson } = await import("./ask-person.js")
        await askPerson(run)
      } else break
      result = await run.rest()
    }
    return { result, pending: run.pending(), unused: answers, elapsedMs: Date.now() - startedAt }
  } finally {
    view.close()
    events.unsubscribe()
    release()
    cancel()
  }
}

/** Whether a run that rests takes this answer: a message begins the next invocation. */
const mayBeTold = (answer: ScriptedAnswer | undefined): boolean => answer !== undefined && ("user" in answer || "end" in answer || "cancel" in answer)

async function startRun({ chart, start, services }: Performance) {
  const { createRunner } = await import("../../runtime/index.js")
  return createRunner(services.calls).start(chart, start)
}

const isOpen = ({ status }: RunResult): boolean => status === "running" || status === "waiting"

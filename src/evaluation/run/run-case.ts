import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunResult } from "../../machines/contract/run-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { Journal, Run, Runner, StartOptions } from "../../runtime/index.js"
import type { EvalAnswer, EvalCase } from "../eval-set/eval-set.js"
import type { CaseRun, UnusedAnswer } from "./case-run.js"
import { messageFor } from "./give-answer.js"
import { turnRecorder, type TurnRecorder } from "./turn-recorder.js"

/** Options for running a test case once. */
export interface RunCaseOptions {
  readonly runner: Runner
  /** Journal in which the runner stores the run. The finished run is loaded from this journal. */
  readonly journal: Journal
  readonly runId?: string
  /** Signal that cancels the run. */
  readonly signal?: AbortSignal
}

/**
 * Runs a test case once. For each turn, sends the user message and then the answers of people. If
 * the run accepts no further message, does not execute the remaining turns.
 */
export async function runCase(
  chart: AgentChart,
  { turns: evalTurns, state, answers }: EvalCase,
  { runner, journal, runId, signal }: RunCaseOptions,
): Promise<CaseRun> {
  const [first, ...others] = evalTurns
  const start = { prompt: first?.user ?? "", state, ...(runId !== undefined && { runId }) }
  const run = startRun(runner, chart, start)
  if (run instanceof AgentStatechartsError) return refusedRun(run, runId ?? "")
  const recorder = turnRecorder()
  const cancel = (): void => {
    if (!recorder.isFinished) run.cancel()
  }
  signal?.addEventListener("abort", cancel)
  if (signal?.aborted === true) cancel()
  const events = run.events$.subscribe((event) => recorder.add(event))
  const unusedAnswers: UnusedAnswer[] = []
  try {
    let result = await settle(run, answers[0], recorder, unusedAnswers)
    for (const [index, { user }] of others.entries()) {
      if (!sayNext(run, recorder, user)) break
      result = await settle(run, answers[index + 1], recorder, unusedAnswers)
    }
    if (!recorder.isFinished) run.end()
    await run.whenSettled()
    const { status, error } = result
    for (const answer of answers.slice(evalTurns.length).flat())
      unusedAnswers.push({
        answer,
        reason: "the conversation has fewer turns than the list of answers",
      })
    return {
      runId: run.runId,
      status,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      turns: recorder.turns,
      allCalls: recorder.allCalls,
      starts: recorder.starts,
      handoffs: recorder.handoffs,
      // Report unused answers only if the run did not fail, because a failed run may not reach
      // them.
      unusedAnswers: status === "completed" || status === "waiting" ? unusedAnswers : [],
      stored: await journal.load(run.runId),
    }
  } finally {
    signal?.removeEventListener("abort", cancel)
    events.unsubscribe()
    cancel()
  }
}

/**
 * Starts a run. Returns an error if the workflow does not accept the initial state or the first
 * message.
 */
function startRun(
  runner: Runner,
  chart: AgentChart,
  options: StartOptions,
): Run | AgentStatechartsError {
  try {
    return runner.start(chart, options)
  } catch (error) {
    if (error instanceof AgentStatechartsError && error.code === "input_refused") return error
    throw error
  }
}

/** Returns the result of a run that could not start. It contains no turns. */
const refusedRun = ({ code, message }: AgentStatechartsError, runId: string): CaseRun => ({
  runId,
  status: "failed",
  errorCode: code,
  errorMessage: message,
  turns: [],
  allCalls: [],
  starts: [],
  handoffs: 0,
  unusedAnswers: [],
  stored: null,
})

/**
 * Sends the answers of a turn to the run, one each time the run is idle. Resolves when the run is
 * idle after the last answer.
 */
async function settle(
  run: Run,
  answers: readonly EvalAnswer[] = [],
  recorder: TurnRecorder,
  unused: UnusedAnswer[],
): Promise<RunResult> {
  let result = await run.whenSettled()
  for (const answer of answers) {
    const message = recorder.isFinished
      ? null
      : messageFor(answer, run.pending(), recorder.isBetweenInvocations)
    if (message === null) {
      unused.push({ answer, reason: "no pending request matches this answer" })
      continue
    }
    try {
      await run.give(message)
    } catch (error) {
      unused.push({ answer, reason: thrownMessage(error) })
      continue
    }
    result = await run.whenSettled()
  }
  recorder.endTurn(result)
  return result
}

/**
 * Sends `content` to the run as the next user message. Returns false if the run does not wait for a
 * user message.
 */
function sayNext(run: Run, recorder: TurnRecorder, content: UserContent): boolean {
  if (recorder.isFinished) return false
  if (recorder.isBetweenInvocations) {
    run.say(content)
    return true
  }
  const request = run.pending().find(({ kind }) => kind === "input")
  if (request === undefined) return false
  run.say(content, { request: request.id })
  return true
}

import { Hono } from "hono"
import { streamSSE } from "hono/streaming"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { parseBody } from "../../../serving/parse-request.js"
import type { LiveRun } from "../../../serving/live-run.js"
import { errorCodeOf, HttpError, isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflow, ServedWorkflows } from "../../workflows/served-workflows.js"
import { isRunOf } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import type { AgUiEvent } from "./ag-ui-events.js"
import { agUiEnd, agUiTranslation } from "./ag-ui-events.js"
import type { AgUiInput } from "./ag-ui-input.js"
import { agUiInput, answersIn, initialState, lastUserMessage } from "./ag-ui-input.js"
import { pageResultsIn, pageToolsFor } from "./page-tools-input.js"
import { threadRuns } from "./thread-runs.js"

/** Version of the AG-UI protocol that the server implements. */
const protocolVersion = "1.0"

/**
 * A run that this process executes, with the index of its first new event. Alternatively, a run
 * that has already finished.
 */
type OpenedRun =
  | { readonly live: LiveRun; readonly from: number }
  | { readonly finished: RunDetails }

/**
 * Creates the routes of the AG-UI protocol. An AG-UI thread corresponds to a run of this server. An
 * AG-UI run is only a segment of it, which starts with a message or an answer. The segment ends
 * when no call is in flight. A message after the end of the server's run starts another run in the
 * thread. Closing the stream does not stop the run.
 */
export function agUiRoutes(workflows: ServedWorkflows, runs: RunHub, start: StartRun): Hono {
  const threads = threadRuns(runs)

  const give = async (runId: string, messages: readonly RunMessage[]): Promise<OpenedRun> => {
    const live = await runs.ensureLive(runId)
    const from = live.events.length
    for (const [n, message] of messages.entries())
      // An earlier message may have ended the run.
      if (n === 0 || !live.hasEnded) await runs.give(runId, message)
    return { live, from }
  }

  const open = async (workflow: ServedWorkflow, input: AgUiInput): Promise<OpenedRun> => {
    const latest = await threads.latest(input.threadId)
    const current = latest === null ? null : await runs.details(latest)
    if (current !== null && !isRunOf(workflow, current)) {
      throw new HttpError(409, {
        code: "run_exists",
        message: `the thread "${input.threadId}" belongs to another workflow; choose another threadId`,
      })
    }
    if (input.resume !== undefined && input.resume.length > 0) {
      if (current === null)
        throw new HttpError(404, {
          code: "run_unknown",
          message: `the thread "${input.threadId}" does not exist, so none of its interrupts can be answered`,
        })
      return give(current.runId, [
        ...answersIn(input, current.pending),
        ...pageResultsIn(input, current.pending),
      ])
    }
    const results = current === null ? [] : pageResultsIn(input, current.pending)
    if (current !== null && results.length > 0) return give(current.runId, results)
    const text = lastUserMessage(input)
    const hasEnded = current !== null && current.events.at(-1)?.type === "run.finished"
    if (current !== null && !hasEnded && text !== undefined)
      return give(current.runId, [{ type: "say", content: text }])
    // A reloaded page sends no new message. It receives the events of the current run.
    if (current !== null && text === undefined)
      return hasEnded ? { finished: current } : give(current.runId, [])
    const state = { ...initialState(input), ...pageToolsFor(workflow.chart, input) }
    const runId = await start(workflow, {
      runId: threads.next(input.threadId, latest),
      ...(text !== undefined && { prompt: text }),
      ...(Object.keys(state).length > 0 && { state }),
    })
    threads.started(input.threadId, runId)
    return { live: await runs.ensureLive(runId), from: 0 }
  }

  async function* eventsOf(
    opened: OpenedRun,
    ids: { readonly threadId: string; readonly runId: string },
    signal: AbortSignal,
  ): AsyncGenerator<AgUiEvent> {
    yield { type: "RUN_STARTED", ...ids, protocolVersion }
    if ("finished" in opened) return yield* agUiEnd(opened.finished.result, [], ids)
    const { live, from } = opened
    const translation = agUiTranslation(live.events.slice(0, from))
    for await (const event of live.eventsUntilSettled(from, signal)) yield* translation.next(event)
    yield* translation.end()
    yield* agUiEnd(live.run.snapshot(), live.run.pending(), ids)
  }

  const routes = new Hono()
  routes.post("/:workflow", async (context) => {
    const workflow = workflows.get(context.req.param("workflow"))
    const input = await parseBody(context.req.raw, agUiInput)
    const ids = { threadId: input.threadId, runId: input.runId }
    return streamSSE(context, async (stream) => {
      const closed = new AbortController()
      stream.onAbort(() => closed.abort())
      const write = (event: AgUiEvent): Promise<void> =>
        stream.writeSSE({ data: JSON.stringify(event) })
      let opened: OpenedRun
      try {
        opened = await open(workflow, input)
      } catch (error) {
        if (!isReportedError(error)) throw error
        await write({ type: "RUN_STARTED", ...ids, protocolVersion })
        return write({ type: "RUN_ERROR", message: error.message, code: errorCodeOf(error) })
      }
      for await (const event of eventsOf(opened, ids, closed.signal))
        if (!closed.signal.aborted) await write(event)
    })
  })
  return routes
}

import { Hono } from "hono"
import { streamSSE } from "hono/streaming"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { parseBody } from "../../../serving/parse-request.js"
import type { LiveRun } from "../../../serving/live-run.js"
import { errorCodeOf, HttpError, isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflow, ServedWorkflows } from "../../workflows/served-workflows.js"
import { isOf } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import type { AgUiEvent } from "./ag-ui-events.js"
import { agUiEnd, agUiTranslation } from "./ag-ui-events.js"
import type { AgUiInput } from "./ag-ui-input.js"
import { agUiInput, answersIn, initialState, lastUserMessage } from "./ag-ui-input.js"
import { threadRuns } from "./thread-runs.js"

/** The version of the protocol that is spoken. */
const protocolVersion = "1.0"

/** Where the events of this run of AG-UI begin in those of the run, or how a run stands that is over. */
type Opened = { readonly live: LiveRun; readonly from: number } | { readonly stands: RunDetails }

/**
 * Serves AG-UI. A thread is a run, and an AG-UI run is the segment from a message or an answer
 * until no call is in flight. A message after the end of a run starts another run in the thread.
 * Closing the stream does not stop the run.
 */
export function agUiRoutes(workflows: ServedWorkflows, runs: RunHub, start: StartRun): Hono {
  const threads = threadRuns(runs)

  const give = async (runId: string, messages: readonly RunMessage[]): Promise<Opened> => {
    const live = await runs.ensureLive(runId)
    const from = live.events.length
    for (const [n, message] of messages.entries())
      // One of them may have ended the run, which then has no use for the others.
      if (n === 0 || !live.hasEnded) await runs.give(runId, message)
    return { live, from }
  }

  const open = async (workflow: ServedWorkflow, input: AgUiInput): Promise<Opened> => {
    const latest = await threads.latest(input.threadId)
    const stands = latest === null ? null : await runs.details(latest)
    if (stands !== null && !isOf(workflow, stands)) {
      throw new HttpError(409, {
        code: "run_exists",
        message: `the thread "${input.threadId}" belongs to another workflow`,
      })
    }
    if (input.resume !== undefined && input.resume.length > 0) {
      if (stands === null)
        throw new HttpError(404, {
          code: "run_unknown",
          message: `the thread "${input.threadId}" does not exist`,
        })
      return give(stands.runId, answersIn(input, stands.pending))
    }
    const words = lastUserMessage(input)
    const isOver = stands !== null && stands.events.at(-1)?.type === "run.finished"
    if (stands !== null && !isOver && words !== undefined)
      return give(stands.runId, [{ type: "say", content: words }])
    // A page that was loaded again looks on.
    if (stands !== null && words === undefined) return isOver ? { stands } : give(stands.runId, [])
    const state = initialState(input)
    const runId = await start(workflow, {
      runId: threads.next(input.threadId, latest),
      ...(words === undefined ? {} : { prompt: words }),
      ...(state === undefined ? {} : { state }),
    })
    threads.began(input.threadId, runId)
    return { live: await runs.ensureLive(runId), from: 0 }
  }

  async function* told(
    opened: Opened,
    ids: { readonly threadId: string; readonly runId: string },
    signal: AbortSignal,
  ): AsyncGenerator<AgUiEvent> {
    yield { type: "RUN_STARTED", ...ids, protocolVersion }
    if ("stands" in opened) return yield* agUiEnd(opened.stands.result, [], ids)
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
      let opened: Opened
      try {
        opened = await open(workflow, input)
      } catch (error) {
        if (!isReportedError(error)) throw error
        await write({ type: "RUN_STARTED", ...ids, protocolVersion })
        return write({ type: "RUN_ERROR", message: error.message, code: errorCodeOf(error) })
      }
      for await (const event of told(opened, ids, closed.signal))
        if (!closed.signal.aborted) await write(event)
    })
  })
  return routes
}

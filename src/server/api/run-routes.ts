import { Hono } from "hono"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { parseBody, parseWholeNumber } from "../../serving/parse-request.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunDetails } from "../../serving/run-details.js"
import type { RunHub } from "../../serving/run-hub.js"
import { streamEvents } from "../../serving/stream-events.js"
import { messageBodies, startBody } from "./request-bodies.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import type { StartRun } from "../runs/start-run.js"

/** As long as a request for a result may wait, in seconds. */
const longestWait = 60

/** Workflows and runs, as the library has them. */
export function runRoutes(workflows: ServedWorkflows, runs: RunHub, start: StartRun): Hono {
  const routes = new Hono()

  routes.get("/workflows", (context) =>
    context.json(
      workflows.all.map(({ id, file, chart }) => ({
        id,
        file,
        chart: chart.id,
        dialect: chart.dialect,
        prompt: chart.input.prompt === null ? null : textOfContent(chart.input.prompt),
      })),
    ),
  )

  routes.get("/runs", async (context) => {
    const limit = parseWholeNumber(context.req.query("limit")) ?? 100
    const status = context.req.query("status")
    const all = await runs.list()
    return context.json({
      runs: all.filter((run) => status === undefined || run.status === status).slice(0, limit),
    })
  })

  routes.post("/runs", async (context) => {
    const { workflow, ...given } = await parseBody(context.req.raw, startBody)
    const runId = await start(workflows.get(workflow), {
      ...(given.runId === undefined ? {} : { runId: given.runId }),
      ...(given.state === undefined ? {} : { state: given.state }),
      // The run checks what a prompt may be.
      ...(given.prompt === undefined ? {} : { prompt: given.prompt as UserContent | null }),
    })
    return context.json(tell(await runs.details(runId)), 201, { location: `/v1/runs/${runId}` })
  })

  routes.get("/runs/:id", async (context) =>
    context.json(tell(await runs.details(context.req.param("id")))),
  )

  routes.get("/runs/:id/result", async (context) => {
    const runId = context.req.param("id")
    const wait = Math.min(parseWholeNumber(context.req.query("wait")) ?? 0, longestWait)
    if (wait > 0) await restWithin(wait * 1000, runs, runId, context.req.raw.signal)
    const { result, pending } = await runs.details(runId)
    return context.json(
      { ...result, pending },
      result.status === "running" || result.status === "waiting" ? 202 : 200,
    )
  })

  routes.get("/runs/:id/events", async (context) => {
    const last = parseWholeNumber(context.req.header("last-event-id") ?? context.req.query("after"))
    return streamEvents(context, await runs.events(context.req.param("id")), last)
  })

  routes.post("/runs/:id/resume", async (context) => {
    await runs.resume(context.req.param("id"))
    return context.json(tell(await runs.details(context.req.param("id"))))
  })

  for (const [type, schema] of Object.entries(messageBodies)) {
    routes.post(`/runs/:id/${type}`, async (context) => {
      const body =
        context.req.header("content-length") === "0" || context.req.raw.body === null
          ? schema.parse({})
          : await parseBody<object>(context.req.raw, schema)
      const runId = context.req.param("id")
      // Its fields are the run's to check.
      await runs.give(runId, { ...body, type } as unknown as RunMessage)
      return context.json(tell(await runs.details(runId)))
    })
  }
  return routes
}

/** How a run stands, without its state, which may be large: that is in its result. */
function tell({ runId, chart, origin, startedAt, isHere, result, pending }: RunDetails): object {
  const { status, text, error, usage } = result
  return {
    runId,
    chart: chart.id,
    file: origin.file,
    startedAt,
    isHere,
    status,
    text,
    error,
    usage,
    pending,
  }
}

/** Waits until nothing of the run is in flight, the time is up, or the client has gone. */
async function restWithin(
  ms: number,
  runs: RunHub,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { result, isHere } = await runs.details(runId)
  if (!isHere && result.status === "running")
    throw new HttpError(409, {
      code: "run_owned",
      message: `run "${runId}" is not active on this server; resume it first, or send the request without wait`,
    })
  if (!isHere) return
  const { run } = await runs.ensureLive(runId)
  let stop = (): void => {}
  const over = new Promise<void>((resolve) => (stop = resolve))
  const timer = setTimeout(stop, ms)
  signal.addEventListener("abort", stop, { once: true })
  await Promise.race([run.whenSettled(), over])
  clearTimeout(timer)
}
